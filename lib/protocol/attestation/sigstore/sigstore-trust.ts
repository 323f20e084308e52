import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import { Malformed } from '../../tee/malformed';
import type { TrustedRoot } from '../../tee/trusted-roots';
import { type Certificate, parseCertificate } from '../../tee/x509/certificate';
import { readDer } from '../../tee/x509/der';
import { type EcPublicKey, readPublicKey } from '../../tee/x509/signature-algorithm';

export interface TrustedLog {
  /** SHA-256 of the key's SubjectPublicKeyInfo. */
  id: Uint8Array;
  key: EcPublicKey;
}

/** Trust anchors for verifying a build. */
export interface SigstoreTrust {
  authorities: readonly { certificate: Certificate; root: TrustedRoot }[];
  /** Rekor, the log of signatures. */
  transparencyLogs: readonly TrustedLog[];
  /** Certificate logs (RFC 6962). */
  certificateLogs: readonly TrustedLog[];
}

/**
 * Trust anchors of Sigstore's public instance, from the `trusted_root.json` that The Update Framework distributes
 * (application/vnd.dev.sigstore.trustedroot+json;version=0.1). Valid since: Fulcio 2022-04-13, Rekor 2021-01-12, the
 * certificate log 2022-10-20. SHA-256 of Fulcio's root:
 * 3ba7b6cc4e95469d4d334b49cb257ad8537076fa84b0ca87ff4ecfe6a54680c1.
 */
const FULCIO_AUTHORITY =
  'MIICGjCCAaGgAwIBAgIUALnViVfnU0brJasmRkHrn/UnfaQwCgYIKoZIzj0EAwMwKjEVMBMGA1UEChMMc2lnc3RvcmUuZGV2MREwDwYDVQQDEwhzaWdzdG9yZTAeFw0yMjA0MTMyMDA2MTVaFw0zMTEwMDUxMzU2NThaMDcxFTATBgNVBAoTDHNpZ3N0b3JlLmRldjEeMBwGA1UEAxMVc2lnc3RvcmUtaW50ZXJtZWRpYXRlMHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE8RVS/ysH+NOvuDZyPIZtilgUF9NlarYpAd9HP1vBBH1U5CV77LSS7s0ZiH4nE7Hv7ptS6LvvR/STk798LVgMzLlJ4HeIfF3tHSaexLcYpSASr1kS0N/RgBJz/9jWCiXno3sweTAOBgNVHQ8BAf8EBAMCAQYwEwYDVR0lBAwwCgYIKwYBBQUHAwMwEgYDVR0TAQH/BAgwBgEB/wIBADAdBgNVHQ4EFgQU39Ppz1YkEZb5qNjpKFWixi4YZD8wHwYDVR0jBBgwFoAUWMAeX5FFpWapesyQoZMi0CrFxfowCgYIKoZIzj0EAwMDZwAwZAIwPCsQK4DYiZYDPIaDi5HFKnfxXx6ASSVmERfsynYBiX2X6SJRnZU84/9DZdnFvvxmAjBOt6QpBlc4J/0DxvkTCqpclvziL6BCCPnjdlIB3Pu3BxsPmygUY7Ii2zbdCdliiow=';
const FULCIO_ROOT =
  'MIIB9zCCAXygAwIBAgIUALZNAPFdxHPwjeDloDwyYChAO/4wCgYIKoZIzj0EAwMwKjEVMBMGA1UEChMMc2lnc3RvcmUuZGV2MREwDwYDVQQDEwhzaWdzdG9yZTAeFw0yMTEwMDcxMzU2NTlaFw0zMTEwMDUxMzU2NThaMCoxFTATBgNVBAoTDHNpZ3N0b3JlLmRldjERMA8GA1UEAxMIc2lnc3RvcmUwdjAQBgcqhkjOPQIBBgUrgQQAIgNiAAT7XeFT4rb3PQGwS4IajtLk3/OlnpgangaBclYpsYBr5i+4ynB07ceb3LP0OIOZdxexX69c5iVuyJRQ+Hz05yi+UF3uBWAlHpiS5sh0+H2GHE7SXrk1EC5m1Tr19L9gg92jYzBhMA4GA1UdDwEB/wQEAwIBBjAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBRYwB5fkUWlZql6zJChkyLQKsXF+jAfBgNVHSMEGDAWgBRYwB5fkUWlZql6zJChkyLQKsXF+jAKBggqhkjOPQQDAwNpADBmAjEAj1nHeXZp+13NWBNa+EDsDP8G1WWg1tCMWP/WHPqpaVo0jhsweNFZgSs0eE7wYI4qAjEA2WB9ot98sIkoF3vZYdd3/VtWB5b9TNMea7Ix/stJ5TfcLLeABLE4BNJOsQ4vnBHJ';
const REKOR_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2G2Y+2tabdTV5BcGiBIx0a9fAFwrkBbmLSGtks4L3qX6yYY0zufBnhC8Ur/iy55GhWP/9A/bY2LhC30M9+RYtw==';
const CERTIFICATE_LOG_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEiPSlFi0CmFTfEjCUqF9HuCEcYXNKAaYalIJmBZ8yyezPjTqhxrKBpMnaocVtLJBI1eM3uXnQzQGAJdJ4gs9Fyw==';

export const SIGSTORE_TRUST: SigstoreTrust = {
  authorities: [
    {
      certificate: parseCertificate(base64.decode(FULCIO_AUTHORITY)),
      root: { certificate: parseCertificate(base64.decode(FULCIO_ROOT)), isSimulated: false },
    },
  ],
  transparencyLogs: [trustedLog(base64.decode(REKOR_KEY))],
  certificateLogs: [trustedLog(base64.decode(CERTIFICATE_LOG_KEY))],
};

/**
 * @param spki SubjectPublicKeyInfo in DER, on P-256 or P-384
 * @throws {Malformed}
 */
export function trustedLog(spki: Uint8Array): TrustedLog {
  const key = readPublicKey(readDer(spki));
  if (key.curve === 'RSA') throw new Malformed('The key of a log is not on a curve.');
  return { id: sha256(spki), key };
}
