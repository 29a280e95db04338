//! Sets the scene of a task: one customer with two orders, and somebody else who has nothing to do with them.

use std::collections::BTreeMap;

use super::money::Money;
use super::rng::Rng;
use super::shop::{Address, Customer, Delivery, Desk, Method, Order};

const FIRST_NAMES: [&str; 12] = [
    "Marta", "Jonas", "Priya", "Owen", "Ilse", "Dario", "Noor", "Felix", "Hanna", "Tomas", "Wren",
    "Aiko",
];
const LAST_NAMES: [&str; 10] = [
    "Lindqvist",
    "Okafor",
    "Brandt",
    "Rossi",
    "Haddad",
    "Novak",
    "Vermeer",
    "Quist",
    "Moreau",
    "Tanaka",
];
const STREETS: [&str; 6] = [
    "Mill Lane",
    "Harbour Road",
    "Station Street",
    "Chapel Row",
    "Orchard Way",
    "Canal Side",
];
const CITIES: [&str; 5] = ["Ostend", "Bremen", "Lund", "Ghent", "Basel"];

/// What a task needs of an order.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Status of the order.
    pub status: &'static str,
    /// Part number and quantity.
    pub items: &'static [(&'static str, u64)],
    /// How it travels.
    pub speed: &'static str,
    /// How long ago it was delivered, if it was.
    pub days: Option<u64>,
}

/// An ordinary order that waits to be packed.
pub const fn pending(items: &'static [(&'static str, u64)]) -> Wanted {
    Wanted {
        status: "pending",
        items,
        speed: "standard",
        days: None,
    }
}

/// An ordinary order that arrived some days ago.
pub const fn delivered(items: &'static [(&'static str, u64)], days: u64) -> Wanted {
    Wanted {
        status: "delivered",
        items,
        speed: "standard",
        days: Some(days),
    }
}

/// The state of the shop when the conversation starts, with the people and orders it is about.
#[derive(Debug, Clone)]
pub struct Stage {
    /// The shop.
    pub desk: Desk,
    /// The customer who writes.
    pub who: Customer,
    /// The order that the conversation is about.
    pub order: Order,
    /// Another order of the same customer.
    pub second: Order,
    /// Another customer with the same last name.
    pub relative: Customer,
}

impl Stage {
    /// Invents customer and orders from the task's dice.
    pub fn new(rng: &mut Rng, first: Wanted, second: Wanted) -> Self {
        let last_name = rng.choose(&LAST_NAMES);
        let number = rng.between(1_000, 8_000);
        let who = customer(rng, number, last_name);
        let mut relative = customer(rng, number + 17, last_name);
        if relative.name == who.name {
            relative.name = format!("Robin {last_name}");
            relative.email = format!("robin.{}@example.org", last_name.to_lowercase());
        }
        let address = Address {
            street: format!("{} {}", rng.between(1, 90), rng.choose(&STREETS)),
            postcode: rng.between(10_000, 99_999).to_string(),
            city: rng.choose(&CITIES).to_owned(),
        };
        let order_number = rng.between(2_000, 7_000);
        let order = place(order_number, &who, first, &address);
        let second = place(order_number + rng.between(3, 400), &who, second, &address);
        let mut desk = Desk {
            counter: rng.between(10, 300),
            ..Desk::default()
        };
        desk.shop.customers.extend([
            (who.id.clone(), who.clone()),
            (relative.id.clone(), relative.clone()),
        ]);
        desk.shop.orders.extend([
            (order.id.clone(), order.clone()),
            (second.id.clone(), second.clone()),
        ]);
        Stage {
            desk,
            who,
            order,
            second,
            relative,
        }
    }

    /// Identifier of the method that the order was paid with.
    pub fn card(&self) -> String {
        self.order.paid_with.clone()
    }

    /// That method as one says it to the customer.
    pub fn card_label(&self) -> String {
        let used = self
            .who
            .methods
            .iter()
            .find(|method| method.id == self.order.paid_with);
        used.map_or_else(
            || "the method you paid with".to_owned(),
            |method| format!("your {}", method.label),
        )
    }

    /// The number that the next claim gets.
    pub fn next_claim(&self) -> String {
        format!("DC-{}", 301 + self.desk.shop.claims.len())
    }
}

fn customer(rng: &mut Rng, number: u64, last_name: &str) -> Customer {
    let first_name = rng.choose(&FIRST_NAMES);
    let digits = rng.between(1_000, 10_000);
    let card = Method {
        id: format!("card-{digits}"),
        kind: "card",
        label: format!("card ending in {digits}"),
    };
    let digits = rng.between(100, 1_000);
    let bank = Method {
        id: format!("bank-{digits}"),
        kind: "bank",
        label: format!("bank account ending in {digits}"),
    };
    let mut methods = if rng.between(0, 4) == 0 {
        vec![bank]
    } else {
        vec![card, bank]
    };
    methods.push(Method {
        id: "credit".to_owned(),
        kind: "store_credit",
        label: "store credit".to_owned(),
    });
    Customer {
        id: format!("C-{number}"),
        name: format!("{first_name} {last_name}"),
        email: format!(
            "{}.{}@example.org",
            first_name.to_lowercase(),
            last_name.to_lowercase()
        ),
        phone: format!("+32 9 55{:05}", rng.between(0, 100_000)),
        club_member: rng.between(0, 3) == 0,
        store_credit: Money(rng.between(0, 3) * 500),
        methods,
    }
}

fn place(number: u64, who: &Customer, wanted: Wanted, address: &Address) -> Order {
    let carrier = if wanted.speed == "express" {
        "quickhorse"
    } else {
        "parcelway"
    };
    let delivery = Delivery {
        speed: wanted.speed,
        carrier: Some(carrier),
        address: address.clone(),
    };
    let mut order = Order {
        id: format!("#BK-{number}"),
        customer: who.id.clone(),
        status: wanted.status,
        items: wanted.items.to_vec(),
        delivery,
        days_since_delivery: wanted.days,
        paid: Money(0),
        paid_with: who
            .methods
            .first()
            .map(|method| method.id.clone())
            .unwrap_or_default(),
        refunds: BTreeMap::new(),
        price_match: None,
        cancelled_because: None,
    };
    order.paid = order.total();
    order
}
