import { base64 } from '@scure/base';
import { type Certificate, parseCertificate } from './x509/certificate';

export interface TrustedRoot {
  certificate: Certificate;
  /** True if enclaves under this root are simulated. Their quotes prove no hardware. */
  isSimulated: boolean;
}

/**
 * Intel SGX Root CA, which all TDX quotes lead to. SHA-256 of the certificate:
 * 44a0196b2f99f889b8e149e95b807a350e7424964399e885a7cbb8ccfab674d3 (Intel, "SGX Provisioning Certification").
 */
const INTEL_SGX_ROOT_CA =
  'MIICjzCCAjSgAwIBAgIUImUM1lqdNInzg7SVUr9QGzknBqwwCgYIKoZIzj0EAwIwaDEaMBgGA1UEAwwRSW50ZWwgU0dYIFJvb3QgQ0ExGjAYBgNVBAoMEUludGVsIENvcnBvcmF0aW9uMRQwEgYDVQQHDAtTYW50YSBDbGFyYTELMAkGA1UECAwCQ0ExCzAJBgNVBAYTAlVTMB4XDTE4MDUyMTEwNDUxMFoXDTQ5MTIzMTIzNTk1OVowaDEaMBgGA1UEAwwRSW50ZWwgU0dYIFJvb3QgQ0ExGjAYBgNVBAoMEUludGVsIENvcnBvcmF0aW9uMRQwEgYDVQQHDAtTYW50YSBDbGFyYTELMAkGA1UECAwCQ0ExCzAJBgNVBAYTAlVTMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEC6nEwMDIYZOj/iPWsCzaEKi71OiOSLRFhWGjbnBVJfVnkY4u3IjkDYYL0MxO4mqsyYjlBalTVYxFP2sJBK5zlKOBuzCBuDAfBgNVHSMEGDAWgBQiZQzWWp00ifODtJVSv1AbOScGrDBSBgNVHR8ESzBJMEegRaBDhkFodHRwczovL2NlcnRpZmljYXRlcy50cnVzdGVkc2VydmljZXMuaW50ZWwuY29tL0ludGVsU0dYUm9vdENBLmRlcjAdBgNVHQ4EFgQUImUM1lqdNInzg7SVUr9QGzknBqwwDgYDVR0PAQH/BAQDAgEGMBIGA1UdEwEB/wQIMAYBAf8CAQEwCgYIKoZIzj0EAwIDSQAwRgIhAOW/5QkR+S9CiSDcNoowLuPRLsWGf/Yi7GSX94BgwTwgAiEA4J0lrHoMs+Xo5o/sX6O9QWxHRAvZUGOdRQ7cvqRXaqI=';

/** Word in the name of every simulator certificate. */
export const SIMULATED_MARK = 'SIMULATED';

export const INTEL_ROOT: TrustedRoot = {
  certificate: parseCertificate(base64.decode(INTEL_SGX_ROOT_CA)),
  isSimulated: false,
};

/**
 * Makes a trusted root from a configured certificate, which counts as simulated if `isSimulated` is true or its name
 * contains SIMULATED.
 *
 * @throws {Malformed}
 */
export function configuredRoot(der: Uint8Array, isSimulated: boolean): TrustedRoot {
  const certificate = parseCertificate(der);
  return { certificate, isSimulated: isSimulated || certificate.subjectText.includes(SIMULATED_MARK) };
}
