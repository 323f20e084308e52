import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { mutatedAttestation } from './testing/mutations';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const { nowMs, nonce, root, address, honest, mutations } = mutatedAttestation();
const policy = { ...DEFAULT_POLICY, roots: [configuredRoot(root, true)] };
const verify = (report: unknown) =>
  verifyAttestation({ report, expected: { nonce, model: 'e2ee-guide', needsPublicKey: true }, policy, nowMs });

// e2e/attestation.spec.ts runs the same checks in a browser.
describe('an attestation', () => {
  it.each(honest)('passes $name', async ({ report }) => {
    expect(await verify(report)).toMatchObject({ conclusion: 'simulated', reason: null, key: { address } });
  });

  it.each(mutations)('fails with $name', async ({ report, fails, reason }) => {
    const verdict = await verify(report);
    expect(verdict).toMatchObject({ conclusion: 'failed', reason, key: null });
    expect(verdict.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toContain(fails);
  });
});
