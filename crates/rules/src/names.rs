//! Small enums whose values have a name in the notation.

/// Defines an enum from its values, their names and perhaps words: all of them, the name of one, the
/// one of a name.
macro_rules! names {
    ($(#[$about:meta])* $Name:ident {
        $($(#[$doc:meta])* $Value:ident $name:literal)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $Name {
            $($(#[$doc])* $Value),+
        }

        impl $Name {
            /// Every value, in the order in which they are stated.
            pub const ALL: [$Name; [$($name),+].len()] = [$($Name::$Value),+];

            /// The name in the notation.
            pub const fn name(self) -> &'static str {
                [$($name),+][self as usize]
            }

            /// The value of a name.
            pub fn named(name: &str) -> Option<$Name> {
                $Name::ALL.into_iter().find(|value| value.name() == name)
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
    ($(#[$about:meta])* $Name:ident {
        $($(#[$doc:meta])* $Value:ident $name:literal $words:literal)+
    }) => {
        names! {
            $(#[$about])*
            $Name { $($(#[$doc])* #[doc = concat!("“", $words, "”")] $Value $name)+ }
        }

        impl $Name {
            /// The value as a person says it.
            pub const fn in_words(self) -> &'static str {
                [$($words),+][self as usize]
            }
        }
    };
}

pub(crate) use names;
