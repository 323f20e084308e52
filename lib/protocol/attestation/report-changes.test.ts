import { describe, expect, it } from 'vitest';
import type { EnclaveVerdict } from './enclave';
import { changesBetween, knownReport } from './report-changes';

const register = (digit: string) => digit.repeat(96);
const MEASURED = {
  kind: 'intel-tdx',
  mrTd: register('1'),
  rtMr0: register('2'),
  rtMr1: register('3'),
  rtMr2: register('4'),
  rtMr3: register('5'),
  mrConfigId: register('6'),
  composeHash: 'a'.repeat(64),
} as const;
const enclave = (change: Partial<EnclaveVerdict> = {}): EnclaveVerdict => ({
  role: 'model',
  name: null,
  hardware: 'intel-tdx',
  verdict: 'verified',
  reason: null,
  checks: [],
  keys: [{ purpose: 'signature', algorithm: 'secp256k1', value: '01' }],
  measurements: MEASURED,
  workload: null,
  isUsed: true,
  unusable: null,
  ...change,
});
const known = (...enclaves: EnclaveVerdict[]) => knownReport({ conclusion: 'verified', enclaves }) ?? { enclaves: [] };

describe('the changes between two verdicts', () => {
  it('are none where the same enclave answers again, and where another machine runs the same compose file', () => {
    expect(changesBetween(known(enclave()), known(enclave()))).toEqual([]);
    expect(
      changesBetween(
        known(enclave()),
        known(enclave({ measurements: { ...MEASURED, rtMr3: register('9'), mrConfigId: register('9') } })),
      ),
    ).toEqual([]);
  });

  it('name each measurement that is another, with what it was', () => {
    const now = enclave({ measurements: { ...MEASURED, mrTd: register('9'), composeHash: 'b'.repeat(64) } });
    expect(changesBetween(known(enclave()), known(now))).toEqual([
      { role: 'model', what: 'measurement', name: 'mrTd', before: register('1'), now: register('9') },
      { role: 'model', what: 'measurement', name: 'composeHash', before: 'a'.repeat(64), now: 'b'.repeat(64) },
    ]);
  });

  it('take RTMR3 for the application where no compose file is known', () => {
    const [before, now] = ['5', '9'].map((digit) =>
      known(enclave({ measurements: { ...MEASURED, composeHash: null, rtMr3: register(digit) } })),
    ) as [ReturnType<typeof known>, ReturnType<typeof known>];
    expect(changesBetween(before, now)).toMatchObject([{ name: 'rtMr3' }]);
  });

  it('do not name the key of another instance, which has one of its own', () => {
    const instance = (name: string, value: string) =>
      known(enclave({ name, keys: [{ purpose: 'encryption', algorithm: 'ml-kem-768', value }] }));
    expect(changesBetween(instance('one', '01'), instance('two', '02'))).toEqual([]);
    expect(changesBetween(instance('one', '01'), instance('one', '02'))).toMatchObject([
      { what: 'key', name: 'encryption' },
    ]);
  });

  it('name another key, other hardware, and an enclave that came or went', () => {
    expect(
      changesBetween(
        known(enclave()),
        known(enclave({ keys: [{ purpose: 'signature', algorithm: 'secp256k1', value: '02' }] })),
      ),
    ).toEqual([{ role: 'model', what: 'key', name: 'signature', before: '01', now: '02' }]);
    const snp = enclave({
      hardware: 'amd-sev-snp',
      measurements: { kind: 'amd-sev-snp', snpMeasurement: 'aa', snpHostData: 'bb' },
    });
    expect(changesBetween(known(enclave()), known(snp))).toEqual([
      { role: 'model', what: 'hardware', name: 'hardware', before: 'intel-tdx', now: 'amd-sev-snp' },
    ]);
    expect(changesBetween(known(enclave({ role: 'router' }), enclave()), known(enclave()))).toMatchObject([
      { what: 'enclave' },
      { what: 'enclave' },
    ]);
  });

  it('see a swap of the router’s measurement behind a model that stayed', () => {
    const router = enclave({ role: 'router' });
    const changes = changesBetween(
      known(router, enclave()),
      known({ ...router, measurements: { ...MEASURED, rtMr2: register('0') } }, enclave()),
    );
    expect(changes).toMatchObject([{ role: 'router', name: 'rtMr2' }]);
  });

  it('are taken of no verdict that does not hold, nor of instances that nobody would use', () => {
    for (const conclusion of ['failed', 'not-checkable'] as const)
      expect(knownReport({ conclusion, enclaves: [enclave()] })).toBeNull();
    expect(known(enclave({ isUsed: false }), enclave()).enclaves).toHaveLength(1);
  });
});
