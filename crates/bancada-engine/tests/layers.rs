// SPDX-License-Identifier: Apache-2.0
//! The list of modules in `lib.rs` is the architecture: imports point down only.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn sources() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn modules() -> Vec<String> {
    let text = fs::read_to_string(sources().join("lib.rs")).unwrap();
    let name = |line: &str| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.to_owned());
    text.lines().filter_map(name).collect()
}

#[test]
fn modules_import_only_modules_further_down_the_list() {
    let modules = modules();
    assert!(modules.len() > 20, "{modules:?}");
    for (place, module) in modules.iter().enumerate() {
        let text = fs::read_to_string(sources().join(format!("{module}.rs"))).unwrap();
        let imports = text
            .split("crate::")
            .skip(1)
            .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap());
        let above: BTreeSet<_> =
            imports.filter(|import| modules[..place].iter().any(|other| other == import)).collect();
        assert!(above.is_empty(), "{module} imports {above:?}, which stand above it");
    }
}

#[test]
fn every_source_file_is_in_the_list_and_says_its_licence() {
    let modules = modules();
    for entry in fs::read_dir(sources()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(["lib", "main"].contains(&name.as_str()) || modules.contains(&name), "{name}");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("// SPDX-License-Identifier: Apache-2.0\n"), "{name}");
        assert!(text.lines().count() <= 400, "{name} is longer than 400 lines");
    }
}
