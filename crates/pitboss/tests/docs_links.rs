//! Links in the documents lead somewhere.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_relative_link_points_to_an_existing_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let is_page = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
    let pages: Vec<PathBuf> = [root.to_owned(), root.join("docs")]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(is_page)
        .collect();
    assert!(pages.len() > 5);
    let mut broken = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        for link in links(&text).filter(|link| !leads_to(page, link)) {
            broken.push(format!("{}: {link}", page.display()));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn links_are_found() {
    let text = "See [one](a.md), [two](https://b.c/d), <img src=\"e.svg\"> and [three](#here).";
    assert_eq!(links(text).collect::<Vec<_>>(), ["a.md", "e.svg"]);
}

/// Where a page's links and pictures lead to in this project.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let after = |mark: &'static str, end: char| {
        text.split(mark).skip(1).filter_map(move |rest| rest.split(end).next())
    };
    let links = after("](", ')').chain(after("src=\"", '"'));
    links.filter(|link| !link.contains("://") && !link.starts_with('#'))
}

fn leads_to(page: &Path, link: &str) -> bool {
    let file = link.split('#').next().unwrap_or_default();
    page.parent().is_some_and(|folder| folder.join(file).exists())
}
