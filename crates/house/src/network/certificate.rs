//! The certificate of a house, from files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Where a certificate and its key are, as PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The certificate, and then those that it rests on.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Why a certificate cannot be used.
#[derive(Debug)]
pub enum CertificateError {
    /// A file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A file has no certificate in it.
    NoCertificate(PathBuf),
    /// A file has no private key in it.
    NoKey(PathBuf),
    /// The private key is encrypted with a passphrase.
    EncryptedKey(PathBuf),
    /// The key belongs to another certificate.
    OtherKey(CertificateFiles),
    /// The certificate or the key is of no use.
    Unusable(PathBuf, String),
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateError::Unreadable(file, error) => write!(f, "{}: {error}", file.display()),
            CertificateError::NoCertificate(file) => {
                write!(f, "{}: there is no certificate in this file", file.display())
            }
            CertificateError::NoKey(file) => {
                write!(f, "{}: there is no private key in this file", file.display())
            }
            CertificateError::EncryptedKey(file) => write!(
                f,
                "{0}: this private key is encrypted with a passphrase; decrypt it, for example with \
                 `openssl pkey -in {0} -out PLAIN.pem`",
                file.display()
            ),
            CertificateError::OtherKey(files) => write!(
                f,
                "{}: this key does not belong to the certificate in {}",
                files.key.display(),
                files.certificate.display()
            ),
            CertificateError::Unusable(file, why) => {
                write!(f, "{}: this certificate or its key cannot be used: {why}", file.display())
            }
        }
    }
}

impl std::error::Error for CertificateError {}

/// What a certificate and its key are in their files.
#[derive(Clone, PartialEq, Eq)]
struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

/// A certificate in use.
pub(crate) struct Certificate {
    files: CertificateFiles,
    /// What was found in the files last, or why they could not be read.
    found: Result<Contents, String>,
    config: Arc<ServerConfig>,
}

impl Certificate {
    /// Reads a certificate and its key.
    pub(crate) fn read(files: CertificateFiles) -> Result<Certificate, CertificateError> {
        let found = files.contents()?;
        let config = files.config(&found)?;
        Ok(Certificate { files, found: Ok(found), config })
    }

    /// What HTTPS is spoken with.
    pub(crate) fn config(&self) -> Arc<ServerConfig> {
        self.config.clone()
    }

    /// Reads the files again. Nothing where they are as they were; what cannot be used leaves the
    /// certificate as it is.
    pub(crate) fn renew(&mut self) -> Option<Result<(), CertificateError>> {
        let found = self.files.contents();
        let now = found.as_ref().map(Contents::clone).map_err(ToString::to_string);
        if now == self.found {
            return None;
        }
        self.found = now;
        let renewed = found.and_then(|found| self.files.config(&found));
        Some(renewed.map(|config| self.config = config))
    }
}

impl CertificateFiles {
    fn contents(&self) -> Result<Contents, CertificateError> {
        let bytes = |file: &Path| {
            std::fs::read(file).map_err(|error| CertificateError::Unreadable(file.into(), error))
        };
        Ok(Contents { certificate: bytes(&self.certificate)?, key: bytes(&self.key)? })
    }

    fn config(&self, found: &Contents) -> Result<Arc<ServerConfig>, CertificateError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&found.certificate).collect();
        let chain = chain.unwrap_or_default();
        if chain.is_empty() {
            return Err(CertificateError::NoCertificate(self.certificate.clone()));
        }
        // Both the header of PKCS #8 and the line in an older key have the word.
        if found.key.windows(9).any(|word| word == b"ENCRYPTED") {
            return Err(CertificateError::EncryptedKey(self.key.clone()));
        }
        let key = PrivateKeyDer::from_pem_slice(&found.key)
            .map_err(|_| CertificateError::NoKey(self.key.clone()))?;
        let unusable = |error: rustls::Error| match error {
            rustls::Error::InconsistentKeys(_) => CertificateError::OtherKey(self.clone()),
            error => CertificateError::Unusable(self.certificate.clone(), error.to_string()),
        };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(unusable)?;
        let config = config.with_no_client_auth().with_single_cert(chain, key);
        let mut config = config.map_err(unusable)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}
