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

impl CertificateFiles {
    /// What HTTPS is spoken with.
    pub(crate) fn read(&self) -> Result<Arc<ServerConfig>, CertificateError> {
        let bytes = |file: &Path| {
            std::fs::read(file).map_err(|error| CertificateError::Unreadable(file.into(), error))
        };
        let (certificate, key) = (bytes(&self.certificate)?, bytes(&self.key)?);
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&certificate).collect();
        let chain = chain.unwrap_or_default();
        if chain.is_empty() {
            return Err(CertificateError::NoCertificate(self.certificate.clone()));
        }
        let key = PrivateKeyDer::from_pem_slice(&key)
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
