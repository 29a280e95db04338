//! The simulated shop: its parts, customers, orders and claims, and how a record looks to the outside.
//!
//! `PartialEq` of [`Shop`] is what a run's label rests on: two shops are equal if a customer could not tell them apart.
//! Internal notes, tickets and counters are kept in [`Desk`] instead, so that they cannot influence a label.

use std::collections::BTreeMap;
use std::ops::Add;

use super::json::Json;
use super::money::Money;

/// A part of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Part number.
    pub sku: &'static str,
    /// What the shop calls it.
    pub name: &'static str,
    category: &'static str,
    /// Price of one piece.
    pub price: Money,
    grams: u64,
    stock: u64,
    built_to_order: bool,
}

const fn part(
    sku: &'static str,
    name: &'static str,
    category: &'static str,
    cents: u64,
    grams: u64,
    stock: u64,
) -> Part {
    Part {
        sku,
        name,
        category,
        price: Money(cents),
        grams,
        stock,
        built_to_order: false,
    }
}

/// Everything that the shop sells.
pub const PARTS: [Part; 11] = [
    part("BP-R55", "brake pads R55", "brakes", 1_250, 60, 140),
    part("CS-11-34", "cassette 11-34", "drivetrain", 4_290, 350, 22),
    part("CH-11", "chain 11 speed", "drivetrain", 2_750, 260, 61),
    part("TY-700-32", "touring tyre 700x32", "wheels", 3_195, 480, 35),
    part("PD-FLAT", "flat pedals", "drivetrain", 3_640, 420, 18),
    part("SD-GEL", "gel saddle", "seating", 5_800, 390, 9),
    part("HB-42", "handlebar 42 cm", "steering", 4_725, 310, 12),
    part("LK-U12", "U-lock 12 mm", "security", 6_490, 1_250, 27),
    part("LT-F80", "front light 80 lux", "lights", 2_275, 110, 44),
    part("WS-PRO", "work stand Pro", "tools", 18_900, 14_500, 5),
    Part {
        sku: "WH-29-C",
        name: "29 inch wheel, built to order",
        category: "wheels",
        price: Money(24_500),
        grams: 2_100,
        stock: 0,
        built_to_order: true,
    },
];

impl Part {
    /// The part with this number.
    pub fn find(sku: &str) -> Option<Part> {
        PARTS.into_iter().find(|part| part.sku == sku)
    }

    /// The part as `get_product` shows it.
    pub fn to_json(self) -> Json {
        Json::Object(vec![
            ("sku", Json::text(self.sku)),
            ("name", Json::text(self.name)),
            ("category", Json::text(self.category)),
            ("price", Json::number(self.price)),
            ("stock", Json::number(self.stock)),
            ("built_to_order", Json::Bool(self.built_to_order)),
        ])
    }
}

/// A way to pay that is on a customer's profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Identifier, for example `card-4417`.
    pub id: String,
    /// `card`, `bank` or `store_credit`.
    pub kind: &'static str,
    /// How it is called in front of the customer.
    pub label: String,
}

/// A customer's profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// Customer number.
    pub id: String,
    /// First and last name.
    pub name: String,
    /// Email address.
    pub email: String,
    /// Phone number.
    pub phone: String,
    /// Member of the club.
    pub club_member: bool,
    /// Balance of the store credit.
    pub store_credit: Money,
    /// The first one is the one that orders were paid with.
    pub methods: Vec<Method>,
}

/// Where a parcel goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Street and number.
    pub street: String,
    /// Postal code.
    pub postcode: String,
    /// Town.
    pub city: String,
}

impl Address {
    /// The address as tools take and return it.
    pub fn to_json(&self) -> Json {
        Json::Object(vec![
            ("street", Json::text(&self.street)),
            ("postcode", Json::text(&self.postcode)),
            ("city", Json::text(&self.city)),
        ])
    }
}

/// How an order travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// `standard`, `express` or `pickup`.
    pub speed: &'static str,
    /// None for a pickup.
    pub carrier: Option<&'static str>,
    /// To where.
    pub address: Address,
}

impl Delivery {
    /// What this speed costs.
    pub fn cost(&self) -> Money {
        match self.speed {
            "express" => Money(1_340),
            "standard" => Money(490),
            _ => Money(0),
        }
    }
}

/// An order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Order number.
    pub id: String,
    /// Whose order it is.
    pub customer: String,
    /// One of the statuses that the policy lists.
    pub status: &'static str,
    /// Part number and quantity.
    pub items: Vec<(&'static str, u64)>,
    /// How it travels.
    pub delivery: Delivery,
    /// None until it is delivered.
    pub days_since_delivery: Option<u64>,
    /// What the customer has paid in all.
    pub paid: Money,
    /// The method it was paid with.
    pub paid_with: String,
    /// Refunds by payment method.
    pub refunds: BTreeMap<String, Money>,
    /// Part and other shop's price, once a match is recorded.
    pub price_match: Option<(String, Money)>,
    /// Why it was cancelled.
    pub cancelled_because: Option<&'static str>,
}

impl Order {
    /// Price of the items with the delivery.
    pub fn total(&self) -> Money {
        self.items
            .iter()
            .filter_map(|(sku, quantity)| Part::find(sku).map(|part| part.price * *quantity))
            .fold(self.delivery.cost(), Money::add)
    }

    /// Everything that was paid back so far.
    pub fn refunded(&self) -> Money {
        self.refunds.values().copied().fold(Money(0), Money::add)
    }

    /// The order as `get_order` shows it.
    pub fn to_json(&self) -> Json {
        let items = self.items.iter().filter_map(|(sku, quantity)| {
            let part = Part::find(sku)?;
            Some(Json::Object(vec![
                ("sku", Json::text(part.sku)),
                ("name", Json::text(part.name)),
                ("quantity", Json::number(quantity)),
                ("unit_price", Json::number(part.price)),
            ]))
        });
        let grams = self
            .items
            .iter()
            .filter_map(|(sku, quantity)| Some(Part::find(sku)?.grams * quantity))
            .sum::<u64>();
        Json::Object(vec![
            ("order_id", Json::text(&self.id)),
            ("customer_id", Json::text(&self.customer)),
            ("status", Json::text(self.status)),
            ("items", Json::List(items.collect())),
            (
                "weight_kg",
                Json::Number(format!("{}.{:02}", grams / 1_000, grams % 1_000 / 10)),
            ),
            (
                "delivery",
                Json::Object(vec![
                    ("speed", Json::text(self.delivery.speed)),
                    ("carrier", Json::maybe(self.delivery.carrier)),
                    ("cost", Json::number(self.delivery.cost())),
                    ("address", self.delivery.address.to_json()),
                ]),
            ),
            (
                "days_since_delivery",
                self.days_since_delivery.map_or(Json::Null, Json::number),
            ),
            ("total", Json::number(self.total())),
            ("paid_total", Json::number(self.paid)),
            ("paid_with", Json::text(&self.paid_with)),
            ("refunded_total", Json::number(self.refunded())),
            ("price_matched", Json::Bool(self.price_match.is_some())),
        ])
    }
}

/// A part that arrived damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Part number.
    pub sku: &'static str,
    /// How many.
    pub quantity: u64,
    /// Kind of damage.
    pub defect: &'static str,
}

impl Damage {
    /// The damage as tools take and return it.
    pub fn to_json(&self) -> Json {
        Json::Object(vec![
            ("sku", Json::text(self.sku)),
            ("quantity", Json::number(self.quantity)),
            ("defect", Json::text(self.defect)),
        ])
    }
}

/// A damage claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Claim number.
    pub id: String,
    /// The order it is about.
    pub order: String,
    /// What is damaged.
    pub items: Vec<Damage>,
    /// Photo, if one was sent along.
    pub photo_url: Option<String>,
    /// `open`, `approved` or `declined`.
    pub status: &'static str,
    /// Whether the customer got a return label.
    pub label_issued: bool,
}

impl Claim {
    /// The claim as `get_claim` shows it.
    pub fn to_json(&self) -> Json {
        Json::Object(vec![
            ("claim_id", Json::text(&self.id)),
            ("order_id", Json::text(&self.order)),
            (
                "items",
                Json::List(self.items.iter().map(Damage::to_json).collect()),
            ),
            ("photo_url", Json::maybe(self.photo_url.as_deref())),
            ("status", Json::text(self.status)),
            ("label_issued", Json::Bool(self.label_issued)),
        ])
    }
}

/// The records that a customer would notice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shop {
    /// By customer number.
    pub customers: BTreeMap<String, Customer>,
    /// By order number.
    pub orders: BTreeMap<String, Order>,
    /// By claim number.
    pub claims: BTreeMap<String, Claim>,
}

impl Shop {
    /// The profile as `get_customer` shows it.
    pub fn profile(&self, customer: &Customer) -> Json {
        let methods = customer.methods.iter().map(|method| {
            Json::Object(vec![
                ("method_id", Json::text(&method.id)),
                ("kind", Json::text(method.kind)),
                ("label", Json::text(&method.label)),
            ])
        });
        let orders = self
            .orders
            .values()
            .filter(|order| order.customer == customer.id)
            .map(|order| Json::text(&order.id));
        Json::Object(vec![
            ("customer_id", Json::text(&customer.id)),
            ("name", Json::text(&customer.name)),
            ("email", Json::text(&customer.email)),
            ("phone", Json::text(&customer.phone)),
            ("club_member", Json::Bool(customer.club_member)),
            ("store_credit", Json::number(customer.store_credit)),
            ("payment_methods", Json::List(methods.collect())),
            ("order_ids", Json::List(orders.collect())),
        ])
    }
}

/// The shop together with what only its staff sees.
#[derive(Debug, Clone, Default)]
pub struct Desk {
    /// What the customer would notice.
    pub shop: Shop,
    /// Next number of a note, ticket, label or refund.
    pub counter: u64,
    /// How many of the next changes fail because the order system is busy.
    pub busy: u32,
}

impl Desk {
    /// A fresh internal number.
    pub fn next_number(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }
}
