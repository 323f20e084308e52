import { base64 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { CheckFailed, NotCheckable } from '../check-list';
import { Malformed } from '../malformed';
import { Untrusted } from '../x509/chain';
import { nvidiaKey } from './nvidia-verdict';
import { NVIDIA_DEVICE_ROOT, NVIDIA_SERVICE_AUTHORITY } from '../trusted-roots';

/** Recorded certificate of a key of NVIDIA's attestation service, valid from 4 to 6 August 2026. */
const LEAF =
  'MIIDDjCCAfagAwIBAgIUdZ/LCJzG7ej2EjSiVTutJUwx/eowDQYJKoZIhvcNAQELBQAwZDE4MDYGA1UEAwwvTlZJRElBIEF0dGVzdGF0aW9uIFNlcnZpY2UgR1BVIEludGVybWVkaWF0ZSAwMDQxGzAZBgNVBAoMEk5WSURJQSBDb3Jwb3JhdGlvbjELMAkGA1UEBhMCVVMwHhcNMjYwODA0MDk0MTA1WhcNMjYwODA2MDk0MTM1WjBZMQswCQYDVQQGEwJVUzEbMBkGA1UEChMSTlZJRElBIENvcnBvcmF0aW9uMS0wKwYDVQQDEyROVklESUEgQXR0ZXN0YXRpb24gU2VydmljZSBHUFUgR0gxMDAwdjAQBgcqhkjOPQIBBgUrgQQAIgNiAATcQXVxRD5tAitMkzp3rRaJpbI1AZjFCkSUiux5RuVNw4l65drL8ndB7LgRmSGJwz/jWnANm/n8mmEJfbHK93p3Fio7Ns2/QzJg8Wi4jCH6p/CcK0tPRZLZR5Cf39+YuSijcTBvMA4GA1UdDwEB/wQEAwIDqDAdBgNVHSUEFjAUBggrBgEFBQcDAQYIKwYBBQUHAwIwHQYDVR0OBBYEFOOXAk4BYAAzw90OziYVC4Esr+hRMB8GA1UdIwQYMBaAFPqoANOPTac6XGds31E7pGryjK7dMA0GCSqGSIb3DQEBCwUAA4IBAQCqUVrOTzu0Ddd8wcT3gyS29QXU2KwYzX9DnipIc1oi9JmPz4TKDE8bs9lNcEwmcnKmdVqnnDQotBjyr6EhDuPAxcL3MutIvYjg5A8HUOrUc3ivn44zP1/gIX6glvM+19Crou3Pl0gcrwbv7KGHQjRDaAonEjR/jWH0NzjLJMhoSlH9AhUQ6iTWCQqr7IXSvenfQ1JlEXfI019GDXghOH7KI/pvTCLCIYFt6XhadOphiiLNMlGBPpUeN45XPMMIaKS07x4JJZF6AWLpq/8tgm4uXehrH3eoV5zumx3MG2GLw/UWHLEUlmI1k1cdAzARv0WCw8A1ejFyEbdUxyPpCKBM';
const AUTHORITY = base64.encode(NVIDIA_SERVICE_AUTHORITY.der);
const day = (number: number) => Date.UTC(2026, 7, number);
const trust = { nvidiaKeys: [], nvidiaAuthorities: [NVIDIA_SERVICE_AUTHORITY] };
const offered = (x5c: unknown, kid = 'nv') => ({
  keys: [
    { kid: 'other', x5c: [AUTHORITY] },
    { kid, x5c },
  ],
});
const key = (given: unknown, nowMs = day(5)) => nvidiaKey('nv', trust, given, nowMs);

describe('a key of NVIDIA’s service that comes with a report', () => {
  it('counts where the pinned authority has certified it, with and without that at the end of its chain', async () => {
    for (const chain of [[LEAF, AUTHORITY], [LEAF]])
      expect(await key(offered(chain))).toMatchObject({ curve: 'P-384' });
  });

  it('counts in its two days only', async () => {
    for (const number of [4, 7]) await expect(key(offered([LEAF, AUTHORITY]), day(number))).rejects.toThrow(Untrusted);
  });

  it('does not count with a flipped bit anywhere in its certificate', async () => {
    const der = base64.decode(LEAF);
    for (let index = 0; index < der.length; index += 3) {
      const touched = der.slice();
      touched[index] = (touched[index] as number) ^ 1;
      await expect(key(offered([base64.encode(touched), AUTHORITY])), `byte ${index}`).rejects.toThrow();
    }
  });

  it.each([
    ['under another authority', { ...trust, nvidiaAuthorities: [NVIDIA_DEVICE_ROOT] }, [LEAF, AUTHORITY]],
    ['under none', { ...trust, nvidiaAuthorities: [] }, [LEAF, AUTHORITY]],
    ['that is the authority itself', trust, [AUTHORITY]],
    ['with its chain the wrong way round', trust, [AUTHORITY, LEAF]],
    ['with an empty chain', trust, []],
  ])('does not count %s', async (_, given, chain) => {
    await expect(nvidiaKey('nv', given, offered(chain), day(5))).rejects.toThrow(Untrusted);
  });

  it.each([[['x']], [[7]], ['x'], [Array(5).fill(LEAF)]])('is refused with the chain %j', async (chain) => {
    await expect(key(offered(chain))).rejects.toThrow(Malformed);
  });

  it('is refused without a certificate or a key id, because coordinates alone prove nothing', async () => {
    for (const keys of [
      null,
      { keys: [] },
      { keys: [{ kid: 'nv', kty: 'EC', crv: 'P-384', x: 'AA', y: 'AA' }] },
      offered([LEAF], 'another'),
    ])
      await expect(key(keys)).rejects.toThrow(NotCheckable);
    await expect(nvidiaKey(undefined, trust, { keys: [{ x5c: [LEAF] }] }, day(4))).rejects.toThrow(Untrusted);
  });

  it('is not needed where the key is pinned, and no substitute where another one is', async () => {
    const pinned = { kid: 'mine', kty: 'EC', crv: 'P-384', x: '', y: '' } as const;
    await expect(nvidiaKey('nv', { nvidiaKeys: [pinned], nvidiaAuthorities: [] }, null, day(5))).rejects.toThrow(
      CheckFailed,
    );
    await expect(nvidiaKey('mine', { nvidiaKeys: [pinned], nvidiaAuthorities: [] }, null, day(5))).rejects.toThrow(
      Malformed,
    );
  });
});
