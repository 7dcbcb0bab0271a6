//! The layers of the house: each knows only those before it, and no two modules know each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the bottom; each may use those before it.
const LAYERS: [&str; 14] = [
    "failpoints",
    "limits",
    "metrics",
    "network",
    "bus",
    "people",
    "store",
    "analysis",
    "tables",
    "relay",
    "config",
    "floor",
    "nodes",
    "http",
];

/// What a layer does not know besides other layers.
const UNKNOWN: [(&str, &[&str]); 12] = [
    ("limits", &["rules", "audit", "wire", "axum", "sqlx"]),
    ("network", &["rules", "audit", "wire", "axum", "sqlx", "tokio"]),
    ("people", &["audit", "wire", "axum", "sqlx", "tokio"]),
    ("store", &["wire", "axum"]),
    ("analysis", &["audit", "axum", "sqlx"]),
    ("tables", &["axum", "sqlx", "async_nats"]),
    ("bus", &["rules", "audit", "axum", "sqlx"]),
    ("relay", &["axum", "sqlx"]),
    ("nodes", &["axum", "sqlx", "async_nats"]),
    ("config", &["axum", "sqlx", "async_nats"]),
    ("floor", &["axum", "sqlx", "async_nats"]),
    ("http", &["sqlx", "async_nats"]),
];

/// Where the words of serde may stand: the rows of the store, the configuration, and what carries the
/// messages of the protocol between nodes.
const SERDE: [&str; 4] = ["store/together.rs", "config.rs", "limits.rs", "bus.rs"];

/// Every Rust file in a folder, by its path from a root.
fn collect(folder: &Path, root: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, root, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            found.insert(name, text);
        }
    }
}

/// Every file of the library, by its path, without its tests.
fn files() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    collect(&root, &root, &mut found);
    found.retain(|name, _| !is_test(name));
    for text in found.values_mut() {
        *text = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
    }
    assert!(found.len() > 30);
    found
}

fn is_test(name: &str) -> bool {
    let ends = ["tests.rs", "any_message.rs", "scratch.rs"];
    name.contains("faults/") || ends.iter().any(|end| name.ends_with(end))
}

/// The path of a file as a module: `tables/task/mod.rs` is `tables::task`.
fn module_of(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').filter(|part| *part != "mod").map(str::to_owned).collect()
}

/// Every path that a file begins with `crate::` or `super::`, as modules from the root.
fn uses(file: &str, text: &str) -> BTreeSet<Vec<String>> {
    let own = module_of(file);
    let mut found = BTreeSet::new();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let text = code.collect::<Vec<_>>().join("\n");
    for root in ["crate::", "super::"] {
        for (at, _) in text.match_indices(root) {
            let is_word = text[..at].ends_with(|c: char| c.is_alphanumeric() || c == ':');
            if is_word {
                continue;
            }
            let start: &[String] = if root == "crate::" { &[] } else { &own[..own.len() - 1] };
            for path in paths(&text[at + root.len()..]) {
                found.insert([start, &path[..]].concat());
            }
        }
    }
    found
}

/// The modules that a path begins with; of a list in braces, those of each of its paths.
fn paths(text: &str) -> Vec<Vec<String>> {
    if let Some(list) = text.strip_prefix('{') {
        let (mut depth, mut begin, mut all) = (0_u32, 0, Vec::new());
        for (at, letter) in list.char_indices() {
            match letter {
                '{' => depth += 1,
                ',' if depth == 0 => {
                    all.extend(paths(list[begin..at].trim_start()));
                    begin = at + 1;
                }
                '}' if depth == 0 => {
                    all.extend(paths(list[begin..at].trim_start()));
                    break;
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        return all;
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if !word.chars().next().is_some_and(char::is_lowercase) {
        return vec![Vec::new()];
    }
    let ends = rest.strip_prefix("::").map_or_else(|| vec![Vec::new()], paths);
    ends.into_iter().map(|end| [vec![word.to_owned()], end].concat()).collect()
}

#[test]
fn paths_are_found_alone_and_in_lists() {
    let of = |text: &str| {
        let found = uses("tables/task/mod.rs", text);
        found.iter().map(|path| path.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(of("use crate::store::{Store, rows::Row};"), ["store", "store::rows"]);
    let list = "use crate::{\n    Config, http::{self, door::Door},\n    store::files,\n};";
    assert_eq!(of(list), ["", "http::door", "http::self", "store::files"]);
    assert_eq!(of("// crate::http\nlet now = super::felt::seats();"), ["tables::felt::seats"]);
}

#[test]
fn every_layer_knows_only_those_before_it() {
    let place = |layer: &str| LAYERS.iter().position(|other| *other == layer);
    for (file, text) in files() {
        let own = module_of(&file);
        if own == ["lib"] {
            continue;
        }
        let own_place = place(&own[0]).unwrap_or_else(|| panic!("{file} is in no layer"));
        for path in uses(&file, &text) {
            let Some(used) = path.first().and_then(|layer| place(layer)) else { continue };
            assert!(used <= own_place, "{file} knows {}", path.join("::"));
        }
        for (layer, unknown) in UNKNOWN.iter().filter(|(layer, _)| *layer == own[0]) {
            for name in *unknown {
                let is_used =
                    text.contains(&format!("use {name}::")) || text.contains(&format!(" {name}::"));
                assert!(!is_used, "{file}: the layer {layer} does not know {name}");
            }
        }
    }
}

#[test]
fn no_two_modules_of_a_layer_know_each_other() {
    let files = files();
    let modules: BTreeSet<Vec<String>> = files.keys().map(|file| module_of(file)).collect();
    let mut knows: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for (file, text) in &files {
        let own = module_of(file);
        for path in uses(file, text) {
            // The longest beginning that is a module: the rest names something in it.
            let used = (1..=path.len()).rev().map(|end| path[..end].to_vec());
            let Some(used) = used.into_iter().find(|path| modules.contains(path)) else { continue };
            // A module may use its parent's names, and a parent those of its parts.
            if !own.starts_with(&used) && !used.starts_with(&own) {
                knows.entry(own.clone()).or_default().insert(used);
            }
        }
    }
    for start in knows.keys() {
        let (mut open, mut reached) = (vec![start.clone()], BTreeSet::new());
        while let Some(next) = open.pop() {
            for used in knows.get(&next).into_iter().flatten() {
                assert_ne!(
                    used,
                    start,
                    "{} and {} know each other",
                    start.join("::"),
                    next.join("::")
                );
                if reached.insert(used.clone()) {
                    open.push(used.clone());
                }
            }
        }
    }
}

/// A result within a result has two ways to fail that a reader cannot tell apart.
#[test]
fn no_signature_of_the_workspace_has_a_result_within_a_result() {
    let nested = ["Result", "Result<"].join("<");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut found = BTreeMap::new();
    for folder in crates.chain([root.join("xtask"), root.join("python")]) {
        collect(&folder.join("src"), root, &mut found);
    }
    assert!(found.len() > 200);
    for (file, text) in found {
        let text: String = text.split_whitespace().collect();
        assert!(!text.contains(&nested), "{file}");
    }
}

#[test]
fn the_words_of_serde_stand_in_the_protocol_the_rows_and_the_configuration_alone() {
    for (file, text) in files() {
        let has_serde = text.contains("use serde::{")
            || text.contains("use serde::Se")
            || text.contains("use serde::Deserialize;")
            || text.contains("derive(serde::")
            || text.contains(", serde::");
        assert_eq!(has_serde, SERDE.contains(&file.as_str()), "{file}");
    }
}

/// Every code of a refusal in the house's own files: the first text of a call that makes one.
fn codes(text: &str) -> BTreeSet<&str> {
    const MAKERS: [&str; 12] = [
        "by_house(",
        "by_clause(",
        "unreadable(",
        "Refusal::new(",
        "HttpError::bad(",
        "HttpError::forbidden(",
        "HttpError::missing(",
        "HttpError::conflict(",
        "HttpError::unavailable(",
        "HttpError::wait(",
        "refused(",
        "own(",
    ];
    let mut found = BTreeSet::new();
    for maker in MAKERS {
        for (at, _) in text.match_indices(maker) {
            let rest = &text[at + maker.len()..];
            let call = rest.split(')').next().unwrap_or_default();
            let code = call.split('"').nth(1).unwrap_or_default();
            let is_code = code.len() > 2
                && code.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
            if is_code {
                found.insert(code);
            }
        }
    }
    found
}

#[test]
fn every_refusal_of_the_house_has_a_code_of_the_list_and_the_list_has_no_other() {
    let files = files();
    let used: BTreeSet<&str> = files.values().flat_map(|text| codes(text)).collect();
    for code in &used {
        assert!(wire::is_house_code(code), "add {code} to crates/wire/src/codes.rs");
    }
    let all: String = files.into_values().collect();
    for (code, _) in wire::HOUSE_CODES {
        assert!(all.contains(&format!("\"{code}\"")), "no refusal has the code {code}");
        let of_rules = [rules::refusal::Refusal::CODES, rules::table::TableRefusal::CODES];
        let is_of_rules = of_rules.concat().contains(code);
        assert!(!is_of_rules, "the rules have the code {code} too");
    }
}

#[test]
fn the_page_for_operators_names_every_reason_why_a_house_is_not_ready() {
    let files = files();
    let (_, ready) = files["http/operation.rs"].split_once("fn ready(").unwrap();
    let ready = ready.split("\n}").next().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let page = fs::read_to_string(root.join("docs/deploy.md")).unwrap();
    let reasons: Vec<&str> =
        ready.split('"').skip(1).step_by(2).filter(|text| wire::is_house_code(text)).collect();
    assert!(reasons.len() > 5, "{reasons:?}");
    for reason in reasons {
        assert!(page.contains(&format!("`{reason}`")), "docs/deploy.md: {reason}");
    }
}
