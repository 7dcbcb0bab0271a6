//! What changed between two views, so that a step need not repeat the rest.

/// Defines a struct, and another one that has of each of its fields what changed, if anything did.
/// The `key` is always there and says what changed; `parts` are compared one by one.
macro_rules! changing {
    (
        $(#[$about:meta])*
        pub struct $Name:ident
        $(key { $(#[$key_about:meta])* $key:ident: $Key:ty })?
        $(parts {
            $(#[$part_about:meta])* $part:ident: $Part:ty,
            $(#[$part_change_about:meta])* as $PartChange:ty
        })?
        fields { $($(#[$field_about:meta])* pub $field:ident: $Type:ty,)* }

        $(#[$change_about:meta])*
        changes $Change:ident;
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub struct $Name {
            $($(#[$key_about])* pub $key: $Key,)?
            $($(#[$part_about])* pub $part: $Part,)?
            $($(#[$field_about])* pub $field: $Type,)*
        }

        $(#[$change_about])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[serde(default)]
        pub struct $Change {
            $($(#[$key_about])* pub $key: $Key,)?
            $(
                $(#[$part_change_about])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $part: Option<$PartChange>,
            )?
            $(
                $(#[$field_about])*
                #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
                #[cfg_attr(test, ts(optional))]
                #[schema(value_type = $Type)]
                pub $field: Option<$Type>,
            )*
        }

        impl $Name {
            /// What changed since an earlier one.
            pub fn since(&self, before: &$Name) -> $Change {
                $Change {
                    $($key: self.$key.clone(),)?
                    $($part: changes_of(&self.$part, &before.$part),)?
                    $($field: (self.$field != before.$field).then(|| self.$field.clone()),)*
                }
            }

            /// Takes over what changed.
            pub fn take(&mut self, change: $Change) {
                $(if let Some(changes) = change.$part {
                    take_changes(&mut self.$part, changes);
                })?
                $(if let Some(value) = change.$field {
                    self.$field = value;
                })*
            }
        }
    };
}

pub(crate) use changing;
