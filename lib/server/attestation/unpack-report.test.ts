import { describe, expect, it } from 'vitest';
import { readAttestationReport } from '@/lib/protocol/tee/attestation-report';
import { unpackReport } from './unpack-report';

const unpack = (json: unknown, model = 'asked') =>
  unpackReport(Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)), model);
const entry = (name: string | undefined, change: object = {}) => ({
  ...(name === undefined ? {} : { model_name: name }),
  signing_address: `0x${name ?? 'none'}`,
  intel_quote: '04',
  signing_public_key: '04ab',
  ...change,
});
const gateway = { signing_address: '0xgateway', intel_quote: '04' };

describe('the report of an enclave', () => {
  it('is the answer itself, beside those of other nodes (Phala)', () => {
    const own = entry(undefined);
    expect(unpack({ ...own, all_attestations: [own, entry('other')] })).toEqual({
      report: own,
      gateway: null,
      others: [entry('other')],
    });
    expect(unpack(own)).toEqual({ report: own, gateway: null, others: [] });
  });

  it('is that of the model that was asked for, beside the proxy’s (NEAR AI)', () => {
    const answer = {
      gateway_attestation: gateway,
      model_attestations: [entry('other'), entry('asked', { signing_public_key: undefined }), entry('asked')],
    };
    expect(unpack(answer)).toEqual({
      report: entry('asked'),
      gateway,
      others: [entry('other'), { ...entry('asked'), signing_public_key: undefined }].map(
        (each) => JSON.parse(JSON.stringify(each)) as object,
      ),
    });
  });

  it('is the first that has a quote and a key, where none names a model', () => {
    const [without, first, second] = [
      { signing_address: '0x1' },
      entry(undefined),
      entry(undefined, { signing_address: '0x2' }),
    ];
    expect(unpack({ model_attestations: [without, first, second] })?.report).toEqual(first);
    expect(unpack({ model_attestations: [without] })?.report).toEqual(without);
  });

  it('is that of another model only where there is no other, and says so', () => {
    const report = unpack({ model_attestations: [entry('other')] })?.report;
    expect(readAttestationReport(report)).toMatchObject({ model: 'other' });
    expect(unpack({ model_attestations: [entry('one'), entry('two')] })).toBeNull();
  });

  it('is never the proxy’s own', () => {
    expect(unpack({ gateway_attestation: gateway })).toBeNull();
    expect(unpack({ gateway_attestation: gateway, model_attestations: [] })).toBeNull();
  });

  it.each(['', 'null', '[]', '7', '"report"', '{"model_attestations":[1,null,"x"],"gateway_attestation":{}}', '{'])(
    'is missing in %s',
    (text) => {
      expect(unpack(text)).toBeNull();
    },
  );

  it('may name its compose file and its log in text within text', () => {
    const compose = '{"docker_compose_file":"x"}';
    const log = [{ imr: 3, event_type: 1, digest: '', event: 'x', event_payload: '' }];
    for (const info of [
      { tcb_info: { app_compose: compose } },
      { tcb_info: JSON.stringify({ app_compose: compose }) },
      JSON.stringify({ tcb_info: JSON.stringify({ app_compose: compose }) }),
    ]) {
      expect(readAttestationReport({ info, event_log: JSON.stringify(log) })).toMatchObject({
        appCompose: compose,
        eventLog: log,
      });
    }
    // The hash covers the measured text. A parsed object no longer has this text.
    expect(
      readAttestationReport({ info: { tcb_info: { app_compose: { docker_compose_file: 'x' } } } }).appCompose,
    ).toBeNull();
  });
});
