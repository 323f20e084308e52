import { hash } from 'node:crypto';
import { afterAll, beforeAll, vi } from 'vitest';

/**
 * Caches results of WebCrypto's `verify` within a test file, by key, algorithm, signature and data. Each of hundreds of
 * mutations changes only one part of a report, so most signatures stay the same.
 */
export function rememberSignatures(): void {
  const { subtle } = crypto;
  const importKey = subtle.importKey.bind(subtle) as (...asked: unknown[]) => Promise<CryptoKey>;
  const verify = subtle.verify.bind(subtle);
  const keys = new Map<string, Promise<CryptoKey>>();
  const names = new WeakMap<CryptoKey, string>();
  const verdicts = new Map<string, Promise<boolean>>();

  const rememberedKey = async (...asked: unknown[]): Promise<CryptoKey> => {
    const name = digest(...asked);
    const pending = keys.get(name) ?? importKey(...asked);
    keys.set(name, pending);
    const key = await pending;
    names.set(key, name);
    return key;
  };

  beforeAll(() => {
    vi.spyOn(subtle, 'importKey').mockImplementation(rememberedKey as typeof subtle.importKey);
    vi.spyOn(subtle, 'verify').mockImplementation((algorithm, key, signature, data) => {
      const name = names.get(key);
      if (name === undefined) return verify(algorithm, key, signature, data);
      const asked = digest(name, algorithm, signature, data);
      const verdict = verdicts.get(asked) ?? verify(algorithm, key, signature, data);
      verdicts.set(asked, verdict);
      return verdict;
    });
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });
}

/** Returns a hash that differs if any part differs. */
function digest(...parts: unknown[]): string {
  const lines = parts.map((part) => {
    const bytes = part instanceof ArrayBuffer ? new Uint8Array(part) : part;
    return ArrayBuffer.isView(bytes)
      ? hash('sha256', bytes as NodeJS.ArrayBufferView)
      : `json ${JSON.stringify(bytes)}`;
  });
  return hash('sha256', lines.join('\n'));
}
