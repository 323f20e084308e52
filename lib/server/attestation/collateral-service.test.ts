import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { recordedSample } from '@/lib/protocol/tee/testing/recorded-samples';
import { serve } from '@/test/test-gateway';
import { ServiceFailed } from './bounded-fetch';
import { fetchCollateral } from './collateral-service';

const chain = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}+/=\n-----END CERTIFICATE-----\n`;
const SIGNATURE = 'ab'.repeat(64);
const TCB_INFO = '{"id":"TDX", "number":1.0,"text":"}\\"ü"}';
const PATHS = [
  '/tdx/certification/v4/tcb?fmspc=B0C06F000000',
  '/tdx/certification/v4/qe/identity?update=standard',
  '/sgx/certification/v4/pckcrl?ca=platform&encoding=der',
  '/root.crl',
] as const;
const LIST = Buffer.from('3003020101', 'hex');

type Answers = Record<string, (response: ServerResponse) => void>;
const honest: Answers = {
  [PATHS[0]]: (response) =>
    response
      .setHeader('TCB-Info-Issuer-Chain', encodeURIComponent(chain('tcb')))
      .end(`{"tcbInfo":${TCB_INFO},"signature":"${SIGNATURE}"}`),
  [PATHS[1]]: (response) =>
    response
      .setHeader('SGX-Enclave-Identity-Issuer-Chain', encodeURIComponent(chain('qe')))
      .end(`{"enclaveIdentity":{"id":"TD_QE"},"signature":"${SIGNATURE.toUpperCase()}"}`),
  [PATHS[2]]: (response) => response.setHeader('SGX-PCK-CRL-Issuer-Chain', encodeURIComponent(chain('crl'))).end(LIST),
  [PATHS[3]]: (response) => response.end(LIST),
};

/** Fetches from a service with some scripted answers; the others are valid. */
async function ask(answers: Answers = {}, timeoutMs = 2_000) {
  const asked: string[] = [];
  const { origin } = await serve((request, response) => {
    asked.push(request.url ?? '');
    ({ ...honest, ...answers })[request.url ?? '']?.(response);
  });
  const collateral = await fetchCollateral(
    { pccsUrl: origin, rootCrlUrl: `${origin}/root.crl`, timeoutMs },
    { fmspc: 'B0C06F000000', authority: 'platform' },
  );
  return { asked, collateral };
}

describe('a service for collateral', () => {
  it('is asked in version 4 of Intel’s protocol, and its documents are taken byte for byte as they were signed', async () => {
    const { asked, collateral } = await ask();
    expect(asked.toSorted()).toEqual([...PATHS].toSorted());
    expect(collateral).toEqual({
      pck_crl_issuer_chain: chain('crl'),
      root_ca_crl: '3003020101',
      pck_crl: '3003020101',
      tcb_info_issuer_chain: chain('tcb'),
      tcb_info: TCB_INFO,
      tcb_info_signature: SIGNATURE,
      qe_identity_issuer_chain: chain('qe'),
      qe_identity: '{"id":"TD_QE"}',
      qe_identity_signature: SIGNATURE.toUpperCase(),
    });
  });

  it('may give lists in hex, and the chain under its older name, as caches do', async () => {
    const { collateral } = await ask({
      [PATHS[0]]: (response) =>
        response
          .setHeader('SGX-TCB-Info-Issuer-Chain', encodeURIComponent(chain('tcb')))
          .end(`{"tcbInfo":${TCB_INFO},"signature":"${SIGNATURE}"}`),
      [PATHS[2]]: (response) =>
        response
          .setHeader('SGX-PCK-CRL-Issuer-Chain', encodeURIComponent(chain('crl')))
          .end(LIST.toString('hex').toUpperCase()),
    });
    expect(collateral).toMatchObject({ pck_crl: '3003020101', tcb_info_issuer_chain: chain('tcb') });
  });

  it.each<[string, Answers]>([
    ['another status', { [PATHS[0]]: (response) => response.writeHead(404).end('{}') }],
    ['a redirect', { [PATHS[3]]: (response) => response.writeHead(302, { location: PATHS[2] }).end() }],
    [
      'no JSON',
      {
        [PATHS[1]]: (response) =>
          response.setHeader('SGX-Enclave-Identity-Issuer-Chain', 'x').end('{"enclaveIdentity":{'),
      },
    ],
    [
      'no signature',
      {
        [PATHS[1]]: (response) =>
          response.setHeader('SGX-Enclave-Identity-Issuer-Chain', 'x').end('{"enclaveIdentity":{}}'),
      },
    ],
    [
      'another document',
      {
        [PATHS[0]]: (response) =>
          response.setHeader('TCB-Info-Issuer-Chain', 'x').end(`{"enclaveIdentity":{},"signature":"${SIGNATURE}"}`),
      },
    ],
    ['no chain', { [PATHS[2]]: (response) => response.end(LIST) }],
    [
      'a chain that cannot be decoded',
      { [PATHS[2]]: (response) => response.setHeader('SGX-PCK-CRL-Issuer-Chain', '%E0%A4%A').end(LIST) },
    ],
    ['HTML instead of a list', { [PATHS[3]]: (response) => response.end('<html>') }],
    ['too much', { [PATHS[3]]: (response) => response.end(Buffer.alloc(1_100_000, 0x30)) }],
    ['a connection that breaks', { [PATHS[3]]: (response) => response.destroy() }],
  ])('that answers with %s gives none', async (_, answers) => {
    await expect(ask(answers)).rejects.toThrow(ServiceFailed);
  });

  it('that does not answer is not waited for', async () => {
    await expect(ask({ [PATHS[0]]: () => undefined }, 50)).rejects.toThrow('did not answer in time');
    await expect(
      fetchCollateral(
        { pccsUrl: 'http://127.0.0.1:9', rootCrlUrl: 'http://127.0.0.1:9', timeoutMs: 1_000 },
        { fmspc: '0', authority: 'platform' },
      ),
    ).rejects.toThrow('does not answer');
  });
});

const sample = recordedSample();
if (sample) {
  it('genuine collateral comes through the protocol byte for byte', async () => {
    const { collateral: given } = sample;
    const text = (name: string) => given[name] ?? '';
    const { collateral } = await ask({
      [PATHS[0]]: (response) =>
        response
          .setHeader('TCB-Info-Issuer-Chain', encodeURIComponent(text('tcb_info_issuer_chain')))
          .end(`{"tcbInfo":${text('tcb_info')},"signature":"${text('tcb_info_signature')}"}`),
      [PATHS[1]]: (response) =>
        response
          .setHeader('SGX-Enclave-Identity-Issuer-Chain', encodeURIComponent(text('qe_identity_issuer_chain')))
          .end(`{"enclaveIdentity":${text('qe_identity')},"signature":"${text('qe_identity_signature')}"}`),
      [PATHS[2]]: (response) =>
        response
          .setHeader('SGX-PCK-CRL-Issuer-Chain', encodeURIComponent(text('pck_crl_issuer_chain')))
          .end(Buffer.from(text('pck_crl'), 'hex')),
      [PATHS[3]]: (response) => response.end(Buffer.from(text('root_ca_crl'), 'hex')),
    });
    expect(collateral).toEqual(given);
  });
}
