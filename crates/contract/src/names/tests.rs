use super::*;
use proptest::prelude::*;

/// Tools written `server:name=alias,alias`, `name`.
fn names(tools: &[&str]) -> ToolNames {
    let tools: Vec<(String, Option<String>, String, BTreeSet<String>)> = tools
        .iter()
        .map(|tool| {
            let (tool, aliases) = tool.split_once('=').unwrap_or((tool, ""));
            let aliases = aliases.split(',').filter(|it| !it.is_empty());
            let (server, name) = match tool.split_once(':') {
                Some((server, name)) => (Some(server.to_owned()), name),
                None => (None, tool),
            };
            let id = match &server {
                Some(server) => format!("{server}/{name}"),
                None => name.to_owned(),
            };
            let aliases = aliases.map(str::to_owned).collect();
            (id, server, name.to_owned(), aliases)
        })
        .collect();
    ToolNames::new(tools.iter().map(|(id, server, name, aliases)| {
        (id.as_str(), server.as_deref(), name.as_str(), aliases)
    }))
}

/// What a name means: an id, several joined by ` | `, or nothing.
#[track_caller]
fn check(tools: &[&str], used: &str, expected: &str) {
    let names = names(tools);
    let found = match names.resolve(used) {
        Resolved::Tool(id) => id.to_owned(),
        Resolved::Ambiguous(ids) => ids.into_iter().collect::<Vec<_>>().join(" | "),
        Resolved::Unknown => String::new(),
    };
    assert_eq!(found, expected, "{used} of {tools:?}");
}

#[track_caller]
fn collisions(tools: &[&str], expected: &[&str]) {
    let names = names(tools);
    let found: Vec<String> = names
        .collisions()
        .into_iter()
        .map(|collision| {
            let tools: Vec<&str> = collision.tools.into_iter().collect();
            format!("{}: {}", collision.name, tools.join(" | "))
        })
        .collect();
    assert_eq!(found, expected);
}

const REWRITTEN: [&str; 5] = [
    "billing.refund.create",
    "billing.refund_create",
    "crm.contact.get",
    "user-profile/update",
    "user-profile/verify",
];

#[test]
fn names_that_a_host_rewrote_are_found_where_one_to_one() {
    let both = "billing.refund.create | billing.refund_create";
    check(&REWRITTEN, "billing_refund_create", both);
    check(&REWRITTEN, "billing.refund.create", "billing.refund.create");
    check(&REWRITTEN, "billing.refund_create", "billing.refund_create");
    check(&REWRITTEN, "crm_contact_get", "crm.contact.get");
    check(&REWRITTEN, "user-profile_update", "user-profile/update");
    check(&REWRITTEN, "user_profile/update", "user-profile/update");
    check(&REWRITTEN, "user_profile_update", "user-profile/update");
    collisions(&REWRITTEN, &[&format!("billing_refund_create: {both}")]);
}

#[test]
fn nothing_matches_by_case_suffix_part_or_another_sign() {
    for used in [
        "Billing.Refund.Create",
        "crm_contact_Get",
        "contact.get",
        "get",
        "crm.contact",
        "crm.contact_get",
        "crm-contact-get",
        "crm.contact.get ",
        "",
        "mcp__crm__contact_get",
        "user.profile/update",
    ] {
        check(&REWRITTEN, used, "");
    }
}

#[test]
fn a_server_is_part_of_who_a_tool_is() {
    let two = [
        "corp-mail:send_email",
        "newsletter:send_email",
        "corp-mail:list",
    ];
    for used in [
        "corp-mail/send_email",
        "corp-mail.send_email",
        "corp_mail.send_email",
        "corp_mail_send_email",
        "corp-mail__send_email",
        "corp_mail__send_email",
        "mcp__corp-mail__send_email",
        "mcp__corp_mail__send_email",
    ] {
        check(&two, used, "corp-mail/send_email");
    }
    check(&two, "newsletter__send_email", "newsletter/send_email");
    check(
        &two,
        "send_email",
        "corp-mail/send_email | newsletter/send_email",
    );
    check(&two, "list", "corp-mail/list");
    check(&two, "other__list", "");
    check(&two, "mcp__list", "");
    check(&two, "_send_email", "");
    collisions(&two, &[]);
}

#[test]
fn the_signs_of_server_and_name_are_replaced_each_for_itself() {
    let tools = ["a-b:x-y.z"];
    check(&tools, "mcp__a_b__x-y.z", "a-b/x-y.z");
    check(&tools, "mcp__a-b__x_y_z", "a-b/x-y.z");
    check(&tools, "a_b.x-y_z", "a-b/x-y.z");
    check(&["a.b.c:x"], "a.b_c__x", "");
}

#[test]
fn an_exact_name_is_no_excuse_for_a_tool_that_hides_another() {
    let tools = [
        "get_user",
        "get-user",
        "corp:get_user",
        "mcp__corp__get_user",
    ];
    check(&tools, "get-user", "get-user");
    check(&tools, "get_user", "corp/get_user | get-user | get_user");
    check(
        &tools,
        "mcp__corp__get_user",
        "corp/get_user | mcp__corp__get_user",
    );
    collisions(
        &tools,
        &[
            "get_user: corp/get_user | get-user | get_user",
            "mcp__corp__get_user: corp/get_user | mcp__corp__get_user",
        ],
    );
    check(&["a:b__c", "a__b:c"], "a__b__c", "a/b__c | a__b/c");
}

#[test]
fn what_a_person_declares_settles_it() {
    let tools = ["get_user=get_user,people.get", "get-user"];
    check(&tools, "get_user", "get_user");
    check(&tools, "get-user", "get-user");
    check(&tools, "people.get", "get_user");
    check(&tools, "people_get", "get_user");
    check(&tools, "People.get", "");
    collisions(&tools, &[]);
    // A name cannot be taken away from the tool that has it.
    check(
        &["get_user", "find=get_user"],
        "get_user",
        "find | get_user",
    );
    check(&["a=x", "b=x"], "x", "a | b");
    collisions(&["a=x", "b=x"], &["x: a | b"]);
}

#[test]
fn several_spellings_of_one_collision_are_told_once() {
    collisions(&["a.b-c", "a.b_c"], &["a_b_c: a.b-c | a.b_c"]);
    collisions(
        &["a:x.y", "a:x_y", "b:x_y"],
        &["a__x_y: a/x.y | a/x_y", "x_y: a/x.y | a/x_y | b/x_y"],
    );
}

fn any_name() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[abA_./-]{1,6}").unwrap()
}

fn any_tools() -> impl Strategy<Value = BTreeMap<String, (Option<String>, String)>> {
    let server = proptest::option::of(proptest::string::string_regex("[ab_.-]{1,3}").unwrap());
    proptest::collection::vec((server, any_name()), 1..8).prop_map(|tools| {
        let with_id = tools.into_iter().map(|(server, name)| {
            let id = match &server {
                Some(server) => format!("{server}/{name}"),
                None => name.clone(),
            };
            (id, (server, name))
        });
        with_id.collect()
    })
}

/// Everything a host could make of a tool, spelt out the slow way.
fn made(server: Option<&str>, name: &str) -> BTreeSet<String> {
    fn rewritten(text: &str) -> Vec<String> {
        let mut all = vec![text.to_owned()];
        for sign in [".", "/", "-"] {
            let more: Vec<String> = all.iter().map(|it| it.replace(sign, "_")).collect();
            all.extend(more);
        }
        all
    }
    let mut all: BTreeSet<String> = rewritten(name).into_iter().collect();
    if let Some(server) = server {
        for server in rewritten(server) {
            for name in rewritten(name) {
                for between in ["/", ".", "_", "__"] {
                    all.insert(format!("{server}{between}{name}"));
                }
                all.insert(format!("mcp__{server}__{name}"));
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_index_agrees_with_spelling_everything_out(tools in any_tools(), used in any_name()) {
        let none = BTreeSet::new();
        let names = ToolNames::new(tools.iter().map(|(id, (server, name))| {
            (id.as_str(), server.as_deref(), name.as_str(), &none)
        }));
        let mut asked: BTreeSet<String> = BTreeSet::from([used]);
        asked.extend(tools.keys().cloned());
        for (server, name) in tools.values() {
            asked.extend(made(server.as_deref(), name));
        }
        for used in asked {
            let expected: BTreeSet<&str> = tools
                .iter()
                .filter(|(_, (server, name))| made(server.as_deref(), name).contains(&used))
                .map(|(id, _)| id.as_str())
                .collect();
            let found = match names.resolve(&used) {
                Resolved::Tool(id) => BTreeSet::from([id]),
                Resolved::Ambiguous(ids) => ids,
                Resolved::Unknown => BTreeSet::new(),
            };
            prop_assert_eq!(&found, &expected, "{}", used);
        }
    }

    #[test]
    fn an_exact_id_is_never_taken_for_another_tool(tools in any_tools()) {
        let none = BTreeSet::new();
        let names = ToolNames::new(tools.iter().map(|(id, (server, name))| {
            (id.as_str(), server.as_deref(), name.as_str(), &none)
        }));
        for id in tools.keys() {
            match names.resolve(id) {
                Resolved::Tool(found) => prop_assert_eq!(found, id),
                Resolved::Ambiguous(several) => prop_assert!(several.contains(id.as_str())),
                Resolved::Unknown => prop_assert!(false, "{} is unknown", id),
            }
        }
    }
}
