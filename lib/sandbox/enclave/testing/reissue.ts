import { X509Certificate } from 'node:crypto';
import { parseCertificate } from '@/lib/protocol/tee/x509/certificate';
import { issueCertificate } from '../hardware/certificate-authority';
import { NAMES, type PlatformKeys } from '../hardware/platform-keys';

/** Reissues one certificate of a platform with changed fields. */
export function reissue(
  from: PlatformKeys,
  name: keyof PlatformKeys['certificates'],
  request: Partial<Parameters<typeof issueCertificate>[0]>,
): PlatformKeys {
  const issuer = name === 'processor' ? 'platformAuthority' : 'root';
  const original = parseCertificate(from.certificates[name]);
  const certificate = issueCertificate({
    subject: { name: NAMES[name], publicKey: new X509Certificate(from.certificates[name]).publicKey },
    issuer: { name: NAMES[issuer], privateKey: from.privateKeys[issuer] },
    notBeforeMs: original.notBeforeMs,
    notAfterMs: original.notAfterMs,
    pathLength: original.isAuthority ? (original.pathLengthMax ?? 0) : null,
    extensions: Object.fromEntries(
      [...original.extensions].filter(([, { isCritical }]) => !isCritical).map(([oid, { value }]) => [oid, value]),
    ),
    ...request,
  });
  return { ...from, certificates: { ...from.certificates, [name]: certificate } };
}
