//! The desk's tools as an agent sees them: their names and arguments. What they do is in `effects`.

use super::json::Json;
use super::money::Money;
use super::shop::{Address, Damage};

/// One tool call.
#[derive(Debug, Clone)]
pub enum Call {
    /// `find_customer` by email address.
    FindByEmail(String),
    /// `find_customer` by order number.
    FindByOrder(String),
    /// `get_customer`
    GetCustomer(String),
    /// `get_order`
    GetOrder(String),
    /// `get_product`
    GetProduct(&'static str),
    /// `get_claim`
    GetClaim(String),
    /// `cancel_order`
    Cancel {
        order: String,
        reason: &'static str,
        comment: Option<&'static str>,
    },
    /// `change_delivery`
    ChangeDelivery {
        order: String,
        speed: &'static str,
        carrier: Option<&'static str>,
        address: Option<Address>,
    },
    /// `file_damage_claim`
    FileClaim {
        order: String,
        items: Vec<Damage>,
        description: String,
        photo_url: Option<String>,
    },
    /// `issue_return_label`
    Label { order: String, claim: String },
    /// `apply_price_match`
    PriceMatch {
        order: String,
        sku: &'static str,
        price: Money,
        url: &'static str,
    },
    /// `issue_refund`
    Refund {
        order: String,
        amount: Money,
        method: String,
        reason: &'static str,
        comment: Option<&'static str>,
    },
    /// `add_store_credit`
    StoreCredit {
        customer: String,
        amount: Money,
        reason: &'static str,
        order: Option<String>,
    },
    /// `add_case_note`
    Note {
        order: String,
        text: String,
        topic: Option<&'static str>,
    },
    /// `update_contact`
    UpdateContact {
        customer: String,
        email: Option<&'static str>,
        phone: Option<&'static str>,
    },
    /// `reassign_order`
    Reassign { order: String, new_customer: String },
    /// `transfer_to_human`
    Transfer {
        department: &'static str,
        summary: &'static str,
    },
}

impl Call {
    /// Name of the tool.
    pub fn tool(&self) -> &'static str {
        match self {
            Call::FindByEmail(_) | Call::FindByOrder(_) => "find_customer",
            Call::GetCustomer(_) => "get_customer",
            Call::GetOrder(_) => "get_order",
            Call::GetProduct(_) => "get_product",
            Call::GetClaim(_) => "get_claim",
            Call::Cancel { .. } => "cancel_order",
            Call::ChangeDelivery { .. } => "change_delivery",
            Call::FileClaim { .. } => "file_damage_claim",
            Call::Label { .. } => "issue_return_label",
            Call::PriceMatch { .. } => "apply_price_match",
            Call::Refund { .. } => "issue_refund",
            Call::StoreCredit { .. } => "add_store_credit",
            Call::Note { .. } => "add_case_note",
            Call::UpdateContact { .. } => "update_contact",
            Call::Reassign { .. } => "reassign_order",
            Call::Transfer { .. } => "transfer_to_human",
        }
    }

    /// The arguments; an optional one that the agent leaves out is absent, not null.
    pub fn arguments(&self) -> Json {
        let mut given: Vec<(&'static str, Json)> = Vec::new();
        match self {
            Call::FindByEmail(email) => given.push(("email", Json::text(email))),
            Call::FindByOrder(order) | Call::GetOrder(order) => {
                given.push(("order_id", Json::text(order)))
            }
            Call::GetCustomer(customer) => given.push(("customer_id", Json::text(customer))),
            Call::GetProduct(sku) => given.push(("sku", Json::text(*sku))),
            Call::GetClaim(claim) => given.push(("claim_id", Json::text(claim))),
            Call::Cancel {
                order,
                reason,
                comment,
            } => {
                given.extend([
                    ("order_id", Json::text(order)),
                    ("reason", Json::text(*reason)),
                ]);
                given.extend(comment.map(|comment| ("comment", Json::text(comment))));
            }
            Call::ChangeDelivery {
                order,
                speed,
                carrier,
                address,
            } => {
                given.extend([
                    ("order_id", Json::text(order)),
                    ("speed", Json::text(*speed)),
                ]);
                given.extend(carrier.map(|carrier| ("carrier", Json::text(carrier))));
                given.extend(
                    address
                        .as_ref()
                        .map(|address| ("address", address.to_json())),
                );
            }
            Call::FileClaim {
                order,
                items,
                description,
                photo_url,
            } => {
                given.extend([
                    ("order_id", Json::text(order)),
                    (
                        "items",
                        Json::List(items.iter().map(Damage::to_json).collect()),
                    ),
                    ("description", Json::text(description)),
                ]);
                given.extend(photo_url.as_ref().map(|url| ("photo_url", Json::text(url))));
            }
            Call::Label { order, claim } => {
                given.extend([
                    ("order_id", Json::text(order)),
                    ("claim_id", Json::text(claim)),
                ]);
            }
            Call::PriceMatch {
                order,
                sku,
                price,
                url,
            } => given.extend([
                ("order_id", Json::text(order)),
                ("sku", Json::text(*sku)),
                ("competitor_price", Json::Number(price.typed())),
                ("competitor_url", Json::text(*url)),
            ]),
            Call::Refund {
                order,
                amount,
                method,
                reason,
                comment,
            } => {
                given.extend([
                    ("order_id", Json::text(order)),
                    ("amount", Json::Number(amount.typed())),
                    ("method_id", Json::text(method)),
                    ("reason", Json::text(*reason)),
                ]);
                given.extend(comment.map(|comment| ("comment", Json::text(comment))));
            }
            Call::StoreCredit {
                customer,
                amount,
                reason,
                order,
            } => {
                given.extend([
                    ("customer_id", Json::text(customer)),
                    ("amount", Json::Number(amount.typed())),
                    ("reason", Json::text(*reason)),
                ]);
                given.extend(order.as_ref().map(|order| ("order_id", Json::text(order))));
            }
            Call::Note { order, text, topic } => {
                given.extend([("order_id", Json::text(order)), ("text", Json::text(text))]);
                given.extend(topic.map(|topic| ("topic", Json::text(topic))));
            }
            Call::UpdateContact {
                customer,
                email,
                phone,
            } => {
                given.push(("customer_id", Json::text(customer)));
                given.extend(email.map(|email| ("email", Json::text(email))));
                given.extend(phone.map(|phone| ("phone", Json::text(phone))));
            }
            Call::Reassign {
                order,
                new_customer,
            } => {
                given.extend([
                    ("order_id", Json::text(order)),
                    ("new_customer_id", Json::text(new_customer)),
                ]);
            }
            Call::Transfer {
                department,
                summary,
            } => {
                given.extend([
                    ("department", Json::text(*department)),
                    ("summary", Json::text(*summary)),
                ]);
            }
        }
        Json::Object(given)
    }
}
