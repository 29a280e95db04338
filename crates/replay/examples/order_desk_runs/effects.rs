//! What the desk's tools do to the shop.
//!
//! As in real back ends the tools check that records exist, and little more. In particular none of them knows the policy.

use super::json::Json;
use super::money::Money;
use super::shop::{Address, Claim, Customer, Desk, Order, Part};
use super::tools::Call;

impl Call {
    /// Whether a busy order system makes this call fail.
    fn changes_orders(&self) -> bool {
        matches!(
            self,
            Call::Cancel { .. } | Call::ChangeDelivery { .. } | Call::Refund { .. }
        )
    }

    /// Carries the call out. An error is the sentence after `Error: `.
    pub fn run(&self, desk: &mut Desk) -> Result<Json, String> {
        if self.changes_orders() && desk.busy > 0 {
            desk.busy -= 1;
            return Err("the order system is busy, please try again".to_owned());
        }
        match self {
            Call::FindByEmail(email) => {
                let found = desk
                    .shop
                    .customers
                    .values()
                    .find(|customer| customer.email == *email);
                found
                    .map(found_customer)
                    .ok_or_else(|| format!("no customer with the email address {email}"))
            }
            Call::FindByOrder(order) => {
                let owner = &order_of(desk, order)?.customer;
                desk.shop
                    .customers
                    .get(owner)
                    .map(found_customer)
                    .ok_or_else(|| format!("no customer {owner}"))
            }
            Call::GetCustomer(id) => {
                let customer = desk
                    .shop
                    .customers
                    .get(id)
                    .ok_or_else(|| format!("no customer {id}"))?;
                Ok(desk.shop.profile(customer))
            }
            Call::GetOrder(id) => Ok(order_of(desk, id)?.to_json()),
            Call::GetProduct(sku) => Part::find(sku)
                .map(Part::to_json)
                .ok_or_else(|| format!("no part {sku}")),
            Call::GetClaim(id) => desk
                .shop
                .claims
                .get(id)
                .map(Claim::to_json)
                .ok_or_else(|| format!("no claim {id}")),
            Call::Cancel { order, reason, .. } => cancel(order_mut(desk, order)?, reason),
            Call::ChangeDelivery {
                order,
                speed,
                carrier,
                address,
            } => change_delivery(order_mut(desk, order)?, speed, *carrier, address.as_ref()),
            Call::FileClaim {
                order,
                items,
                photo_url,
                ..
            } => {
                order_of(desk, order)?;
                let id = format!("DC-{}", 301 + desk.shop.claims.len());
                let claim = Claim {
                    id: id.clone(),
                    order: order.clone(),
                    items: items.clone(),
                    photo_url: photo_url.clone(),
                    status: "open",
                    label_issued: false,
                };
                let shown = claim.to_json();
                desk.shop.claims.insert(id, claim);
                Ok(shown)
            }
            Call::Label { order, claim } => {
                let number = desk.next_number();
                let record = desk
                    .shop
                    .claims
                    .get_mut(claim)
                    .ok_or_else(|| format!("no claim {claim}"))?;
                record.label_issued = true;
                Ok(Json::Object(vec![
                    ("claim_id", Json::text(claim)),
                    ("order_id", Json::text(order)),
                    ("label_id", Json::text(format!("RL-{}", 8_100 + number))),
                    ("carrier", Json::text("parcelway")),
                ]))
            }
            Call::PriceMatch {
                order, sku, price, ..
            } => price_match(order_mut(desk, order)?, sku, *price),
            Call::Refund {
                order,
                amount,
                method,
                ..
            } => {
                let number = desk.next_number();
                let record = order_mut(desk, order)?;
                let before = record.refunds.entry(method.clone()).or_default();
                *before = *before + *amount;
                Ok(Json::Object(vec![
                    ("order_id", Json::text(order)),
                    ("refund_id", Json::text(format!("RF-{}", 5_500 + number))),
                    ("amount", Json::number(*amount)),
                    ("method_id", Json::text(method)),
                    ("refunded_total", Json::number(record.refunded())),
                ]))
            }
            Call::StoreCredit {
                customer, amount, ..
            } => {
                let record = customer_mut(desk, customer)?;
                record.store_credit = record.store_credit + *amount;
                Ok(Json::Object(vec![
                    ("customer_id", Json::text(customer)),
                    ("amount", Json::number(*amount)),
                    ("store_credit", Json::number(record.store_credit)),
                ]))
            }
            Call::Note { order, .. } => {
                order_of(desk, order)?;
                let number = desk.next_number();
                Ok(Json::Object(vec![
                    ("order_id", Json::text(order)),
                    ("note_id", Json::text(format!("N-{}", 70_400 + number))),
                ]))
            }
            Call::UpdateContact {
                customer,
                email,
                phone,
            } => {
                let record = customer_mut(desk, customer)?;
                if let Some(email) = email {
                    record.email = (*email).to_owned();
                }
                if let Some(phone) = phone {
                    record.phone = (*phone).to_owned();
                }
                let changed = record.clone();
                Ok(desk.shop.profile(&changed))
            }
            Call::Reassign {
                order,
                new_customer,
            } => {
                customer_mut(desk, new_customer)?;
                let record = order_mut(desk, order)?;
                record.customer.clone_from(new_customer);
                Ok(record.to_json())
            }
            Call::Transfer { department, .. } => {
                let number = desk.next_number();
                Ok(Json::Object(vec![
                    ("department", Json::text(*department)),
                    ("ticket", Json::text(format!("T-{}", 9_000 + number))),
                ]))
            }
        }
    }
}

fn found_customer(customer: &Customer) -> Json {
    Json::Object(vec![
        ("customer_id", Json::text(&customer.id)),
        ("name", Json::text(&customer.name)),
    ])
}

fn order_of<'a>(desk: &'a Desk, id: &str) -> Result<&'a Order, String> {
    desk.shop
        .orders
        .get(id)
        .ok_or_else(|| format!("no order {id}"))
}

fn order_mut<'a>(desk: &'a mut Desk, id: &str) -> Result<&'a mut Order, String> {
    desk.shop
        .orders
        .get_mut(id)
        .ok_or_else(|| format!("no order {id}"))
}

fn customer_mut<'a>(desk: &'a mut Desk, id: &str) -> Result<&'a mut Customer, String> {
    desk.shop
        .customers
        .get_mut(id)
        .ok_or_else(|| format!("no customer {id}"))
}

fn cancel(order: &mut Order, reason: &'static str) -> Result<Json, String> {
    if matches!(order.status, "shipped" | "delivered" | "cancelled") {
        return Err(format!(
            "order {} is {} and cannot be cancelled",
            order.id, order.status
        ));
    }
    order.status = "cancelled";
    order.cancelled_because = Some(reason);
    order.refunds.insert(order.paid_with.clone(), order.paid);
    Ok(order.to_json())
}

fn change_delivery(
    order: &mut Order,
    speed: &'static str,
    carrier: Option<&'static str>,
    address: Option<&Address>,
) -> Result<Json, String> {
    if matches!(order.status, "shipped" | "delivered" | "cancelled") {
        return Err(format!(
            "order {} is {} and its delivery cannot be changed",
            order.id, order.status
        ));
    }
    let chosen = match speed {
        "pickup" => None,
        "express" => Some("quickhorse"),
        _ => Some("parcelway"),
    };
    order.delivery.speed = speed;
    order.delivery.carrier = carrier.or(chosen);
    if let Some(address) = address {
        order.delivery.address = address.clone();
    }
    // A dearer delivery is charged at once; a cheaper one is settled with the next bill, outside this system.
    order.paid = order.paid.max(order.total());
    Ok(order.to_json())
}

fn price_match(order: &mut Order, sku: &'static str, price: Money) -> Result<Json, String> {
    let quantity = order
        .items
        .iter()
        .find(|(held, _)| *held == sku)
        .map(|(_, quantity)| *quantity);
    let (Some(part), Some(quantity)) = (Part::find(sku), quantity) else {
        return Err(format!("order {} has no part {sku}", order.id));
    };
    order.price_match = Some((sku.to_owned(), price));
    Ok(Json::Object(vec![
        ("order_id", Json::text(&order.id)),
        ("sku", Json::text(sku)),
        ("our_price", Json::number(part.price)),
        ("competitor_price", Json::number(price)),
        ("difference", Json::number((part.price - price) * quantity)),
    ]))
}
