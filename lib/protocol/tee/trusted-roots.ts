import { base64 } from '@scure/base';
import { type Certificate, parseCertificate } from './x509/certificate';

export interface TrustedRoot {
  certificate: Certificate;
  /** True if enclaves under this root are simulated. Their quotes prove nothing about hardware. */
  isSimulated: boolean;
}

/**
 * Intel SGX Root CA, the root of every TDX quote's certificate chain. SHA-256 of the certificate:
 * 44a0196b2b99f889b8e149e95b807a350e7424964399e885a7cbb8ccfab674d3 (Intel, "SGX Provisioning Certification").
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
 * Makes a trusted root from a configured certificate. It counts as simulated if `isSimulated` is true or the
 * certificate's name contains SIMULATED.
 *
 * @throws {Malformed}
 */
export function configuredRoot(der: Uint8Array, isSimulated: boolean): TrustedRoot {
  const certificate = parseCertificate(der);
  return { certificate, isSimulated: isSimulated || certificate.subjectText.includes(SIMULATED_MARK) };
}

/**
 * NVIDIA Device Identity CA, the root of all GPU certificates. SHA-256 of the certificate:
 * 102bf659d5419614c9d8e6aecebc80454eb26b1df6a769ac720b9a690b167b48 (NVIDIA/nvtrust, verifier_device_root.pem).
 */
const DEVICE_IDENTITY_CA =
  'MIICCzCCAZCgAwIBAgIQLTZwscoQBBHB/sDoKgZbVDAKBggqhkjOPQQDAzA1MSIwIAYDVQQDDBlOVklESUEgRGV2aWNlIElkZW50aXR5IENBMQ8wDQYDVQQKDAZOVklESUEwIBcNMjExMTA1MDAwMDAwWhgPOTk5OTEyMzEyMzU5NTlaMDUxIjAgBgNVBAMMGU5WSURJQSBEZXZpY2UgSWRlbnRpdHkgQ0ExDzANBgNVBAoMBk5WSURJQTB2MBAGByqGSM49AgEGBSuBBAAiA2IABA5MFKM7+KViZljbQSlgfky/RRnEQScW9NDZF8SXgAW96r6u/Ve8ZggtcYpPi2BS4VFu6KfEIrhN6FcHG7WP05W+oM+hxj7nyA1r1jkB2Ry70YfThX3Ba1zOryOP+MJ9vaNjMGEwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFFeF/4PyY8xlfWi3Olv0jUrL+0lfMB8GA1UdIwQYMBaAFFeF/4PyY8xlfWi3Olv0jUrL+0lfMAoGCCqGSM49BAMDA2kAMGYCMQCPeFM3TASsKQVaT+8S0sO9u97PVGCpE9d/I42IT7k3UUOLSR/qvJynVOD1vQKVXf0CMQC+EY55WYoDBvs2wPAH1Gw4LbcwUN8QCff8bFmV4ZxjCRr4WXTLFHBKjbfneGSBWwA=';

/**
 * NVIDIA Attestation Service GPU Intermediate 004, valid until 2029-12-08. Pinned because NVIDIA publishes no root
 * above it. SHA-256 of the certificate: 2df8907cf4d6c277b855d407ec178a649930a8e73f7294e8fce66e6ee27c5175. SHA-256 of
 * its SubjectPublicKeyInfo, which other verifiers also pin:
 * fd32837f954e2c45db073105166dfe6985ae0480bb113fba63b091a75affe896.
 */
const SERVICE_AUTHORITY =
  'MIIDjjCCAxWgAwIBAgIUX+djej7sXIvcZ8Ym8KJF8WsI3UMwCgYIKoZIzj0EAwMwVjELMAkGA1UEBhMCVVMxGzAZBgNVBAoMEk5WSURJQSBDb3Jwb3JhdGlvbjEqMCgGA1UEAwwhTlZJRElBIEF0dGVzdGF0aW9uIFNlcnZpY2UgQ0EgMDAxMB4XDTI1MTIwODAwMDAwMFoXDTI5MTIwODAwMDAwMFowZDE4MDYGA1UEAwwvTlZJRElBIEF0dGVzdGF0aW9uIFNlcnZpY2UgR1BVIEludGVybWVkaWF0ZSAwMDQxGzAZBgNVBAoMEk5WSURJQSBDb3Jwb3JhdGlvbjELMAkGA1UEBhMCVVMwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDCmOUQzlKU+iKzdXwJZBpjIwkO2ZhrbeevIScmqL6QdkZMdj9FKxFResOdPoJA0IxMDwYFMy87MIJYV/hRAo9ut6q0OZiZwPFSfxqN+ZcDyFMkYEnHvMgFaSuYxMiNWm9WcOcOih8FdX0s8qmkHq+NM48l8R7VNhX0HB2IZ2mxp4nH/dxpFcbpRavaECEvLqbUSvSNAmg+xNCCVsihKPF/rksGZK1wky6E8HcydYxydK2MP95dc5Ovqq80COxCPgsjgUN/JT9Gr9iNXaof9W2ZKqasCjADRfITS7N9SQsp7Jv6UudT5tFbFKp7gCKwpjjUgQEUo3JkWTHiBuRrBZWFAgMBAAGjgecwgeQwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwSAYDVR0fBEEwPzA9oDugOYY3aHR0cDovL2NybC5uZGlzLm52aWRpYS5jb20vY3JsLW5yYXMvbnYtbnJhcy1sMS1yb290LmNybDA3BggrBgEFBQcBAQQrMCkwJwYIKwYBBQUHMAGGG2h0dHA6Ly9vY3NwLm5kaXMubnZpZGlhLmNvbTAdBgNVHQ4EFgQU+qgA049NpzpcZ2zfUTukavKMrt0wHwYDVR0jBBgwFoAUvgpv7XnCSKqKNwsm9oU3MWxyBL8wCgYIKoZIzj0EAwMDZwAwZAIwEaF8qbwlAoAWNm7WNnqdECSs9uQxqQkl1eQLKJIVEC+XsHTL2SGBrbUGlLX89zf/AjAL0Xav/uW7dMhqSqqE86RiojGbZR5jRNtWAJIw/YH9yBAJ5ktCAqSSfrJ4qjzf48U=';

export const NVIDIA_DEVICE_ROOT: Certificate = parseCertificate(base64.decode(DEVICE_IDENTITY_CA));

export const NVIDIA_SERVICE_AUTHORITY: Certificate = parseCertificate(base64.decode(SERVICE_AUTHORITY));
