import { describe, expect, it } from 'vitest';
import { ENCLAVE_CHECK_IDS, type EnclaveCheck, type EnclaveCheckId } from '@/lib/protocol/attestation/enclave-checks';
import { CHECK_GROUPS, groupedChecks } from './grouped-checks';

const checks = (...failed: EnclaveCheckId[]): EnclaveCheck[] =>
  ENCLAVE_CHECK_IDS.map((id) => ({
    id,
    title: id,
    outcome: failed.includes(id) ? 'failed' : 'passed',
    evidence: {},
    reason: null,
  }));
const titles = (given: readonly EnclaveCheck[]) => groupedChecks(given).map(({ title }) => title);

describe('the groups of checks', () => {
  it('hold every check once', () => {
    expect(CHECK_GROUPS.flatMap(({ ids }) => ids).toSorted()).toEqual(ENCLAVE_CHECK_IDS.toSorted());
  });

  it('put what failed first, the group and the check in it', () => {
    const [first] = groupedChecks(checks('signing-key'));
    expect(first?.title).toBe('Does it answer me, with this key?');
    expect(first?.checks.map(({ id }) => id)).toEqual([
      'signing-key',
      'nonce',
      'model',
      'certificate',
      'certificate-signature',
    ]);
    expect(titles(checks('signing-key'))).toHaveLength(CHECK_GROUPS.length);
  });

  it('stay in order where nothing failed, and where only a workload is not pinned', () => {
    const order = CHECK_GROUPS.map(({ title }) => title);
    expect(titles(checks())).toEqual(order);
    expect(titles(checks('workload'))).toEqual(order);
  });
});
