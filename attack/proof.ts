import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attestModel, PrivateChatSession } from '@/lib/client/private-chat';
import { DEFAULT_POLICY, type PinnedWorkload } from '@/lib/protocol/tee/policy';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { type AttestationVerdict, verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { type Attack, judge, notApplicable, type Verdict } from './attack';
import type { EnclaveChats } from './lying/enclave-chats';
import { Scenario } from './lying/scenario';
import { ScriptedGateway } from './lying/scripted-gateway';

/** The attacks in this file present false proofs to the client's verifier, as a lying gateway would. */

type Measured = NonNullable<AttestationVerdict['measurements']>;

const MODEL = 'tee-guide';

/** Gateway with its own enclave, and the falsifications of its reports. */
interface Liar {
  url: string;
  enclave: EnclaveChats['enclave'];
  scenario: Scenario;
}

async function withLiar<Result>(run: (liar: Liar) => Promise<Result>): Promise<Result> {
  const gateway = await ScriptedGateway.start();
  const scenario = new Scenario({});
  scenario.balanceUsd = 1;
  try {
    return await run({ url: gateway.open(scenario).url, enclave: gateway.chats.enclave, scenario });
  } finally {
    await gateway.stop();
  }
}

/**
 * Returns a policy that trusts the simulator's root like a hardware maker's root. Whether a report is "verified" then
 * depends only on the pinned values.
 */
function policyOf({ enclave }: Liar, pinnedWorkloads: PinnedWorkload[] = []) {
  return {
    ...DEFAULT_POLICY,
    roots: [{ certificate: configuredRoot(enclave.root, true).certificate, isSimulated: false }],
    pinnedWorkloads,
  };
}

function attest(gateway: Liar, pinned?: PinnedWorkload[]) {
  return attestModel({
    connection: { baseUrl: gateway.url },
    model: MODEL,
    policy: policyOf(gateway, pinned),
    needsPublicKey: false,
  });
}

/** Verifies reports against a policy that pins only some measurements. The host may choose all others. */
async function pinnedOnly(pin: (measured: Measured) => Partial<PinnedWorkload>): Promise<Verdict> {
  return withLiar(async (gateway) => {
    const measured = (await attest(gateway)).verdict.measurements;
    if (!measured) return judge(false, 'nothing was measured');
    const everything = {
      name: 'all',
      mrTd: measured.mrTd ?? '',
      rtMr0: measured.rtMr0 ?? '',
      rtMr1: measured.rtMr1 ?? '',
      rtMr2: measured.rtMr2 ?? '',
      composeHash: measured.composeHash ?? '',
    };
    const { conclusion: whole } = (await attest(gateway, [everything])).verdict;
    const { conclusion } = (await attest(gateway, [{ name: 'a part', ...pin(measured) }])).verdict;
    return judge(
      whole === 'verified' && conclusion !== 'verified',
      `pinned in part it is "${conclusion}", pinned as a whole "${whole}"`,
    );
  });
}

/** Changes one value of a report, which must then fail verification. */
function falsified(change: (report: Record<string, unknown>) => Record<string, unknown>): Promise<Verdict> {
  return withLiar(async (gateway) => {
    const honest = (await attest(gateway)).verdict.conclusion;
    gateway.scenario.falsify = change;
    const { conclusion, key } = (await attest(gateway)).verdict;
    return judge(
      honest === 'unknown-workload' && (conclusion === 'failed' || conclusion === 'not-checkable') && key === null,
      `it is "${conclusion}", the honest report "${honest}"`,
    );
  });
}

export const PROOF_ATTACKS: readonly Attack[] = [
  {
    id: 'proof-compose-hash-alone',
    title: 'A host that chooses MRCONFIGID, or a guest that extends RTMR3, where only the compose hash is pinned',
    needs: ['verifier'],
    isQuick: true,
    run: () => pinnedOnly(({ composeHash }) => ({ composeHash: composeHash ?? '' })),
  },
  {
    id: 'proof-mrtd-alone',
    title: 'A host with the right firmware and a kernel of its own, where only MRTD is pinned',
    needs: ['verifier'],
    isQuick: true,
    run: () => pinnedOnly(({ mrTd }) => ({ mrTd: mrTd ?? '' })),
  },
  {
    id: 'proof-mrtd-and-compose',
    title: 'The same where MRTD and the compose hash are pinned, and not what lies between them',
    needs: ['verifier'],
    isQuick: true,
    run: () => pinnedOnly(({ mrTd, composeHash }) => ({ mrTd: mrTd ?? '', composeHash: composeHash ?? '' })),
  },
  {
    id: 'proof-other-kernel',
    title: "A kernel of the host's own where everything is pinned",
    needs: ['verifier'],
    isQuick: true,
    run: () =>
      pinnedOnly(({ mrTd, rtMr0, rtMr2, composeHash }) => ({
        mrTd: mrTd ?? '',
        rtMr0: rtMr0 ?? '',
        rtMr1: '00'.repeat(48),
        rtMr2: rtMr2 ?? '',
        composeHash: composeHash ?? '',
      })),
  },
  {
    id: 'proof-own-word',
    title: 'A report without a quote that calls itself verified',
    needs: ['verifier'],
    isQuick: true,
    run: () => falsified(({ intel_quote: _quote, ...report }) => ({ ...report, verified: true, verdict: 'verified' })),
  },
  {
    id: 'proof-other-key',
    title: "A genuine report whose signing key was replaced by the gateway's",
    needs: ['verifier'],
    isQuick: true,
    run: () =>
      falsified((report) => ({ ...report, signing_address: `0x${'12'.repeat(20)}`, signing_public_key: null })),
  },
  {
    id: 'proof-quote-padding',
    title: 'A genuine quote with bytes after it that nobody signed; trailing zeros alone are what services send',
    needs: ['verifier'],
    isQuick: true,
    run: () => falsified((report) => ({ ...report, intel_quote: `${String(report.intel_quote)}0000ab` })),
  },
  {
    id: 'proof-gpu-padding',
    title: 'GPU certificates with NUL bytes after them, as devices send, and with anything else',
    needs: ['verifier'],
    isQuick: false,
    run: () => gpuPadding(),
  },
  {
    id: 'proof-key-changed',
    title: 'A plain attested chat answered under another key than was attested before, and attested after',
    needs: ['verifier'],
    isQuick: true,
    run: () =>
      withLiar(async (gateway) => {
        const session = new PrivateChatSession({
          connection: { baseUrl: gateway.url },
          model: MODEL,
          encrypted: false,
          policy: policyOf(gateway),
          accepted: ['unknown-workload'],
          signatureRetryDelaysMs: [],
        });
        await session.start();
        gateway.scenario.beforeChat = () => gateway.enclave.rotateKey();
        try {
          const { signature } = await session.ask([{ role: 'user', content: 'Who are you?' }]);
          const {
            text: _text,
            signature: _signature,
            requestHash: _request,
            responseHash: _response,
            ...said
          } = signature;
          const isTold = signature.outcome !== 'verified' || /chang|rotat|after|late/i.test(JSON.stringify(said));
          return judge(isTold, `the check of its signature says ${JSON.stringify(said)}`);
        } catch (error) {
          return judge(true, `it was refused: ${String(error)}`);
        }
      }),
  },
];

/** Uses recorded evidence of real GPUs from ATTESTATION_SAMPLES, because GPU evidence cannot be simulated. */
async function gpuPadding(): Promise<Verdict> {
  const folder = process.env['ATTESTATION_SAMPLES'];
  if (!folder) return notApplicable('ATTESTATION_SAMPLES names no folder of recorded attestations');
  const [{ nonce, arch, certificate, evidence }] = JSON.parse(
    readFileSync(join(folder, 'nvidia', 'hopper_evidence.json'), 'utf8'),
  ) as [Record<'nonce' | 'arch' | 'certificate' | 'evidence', string>];
  return withLiar(async (gateway) => {
    const report = gateway.enclave.attest(MODEL, Buffer.from(nonce, 'hex'), Date.now());
    const outcomeWith = async (padding: string) => {
      const padded = Buffer.concat([Buffer.from(certificate, 'base64'), Buffer.from(padding, 'latin1')]).toString(
        'base64',
      );
      const payload = JSON.stringify({ nonce, arch, evidence_list: [{ certificate: padded, evidence }] });
      const verdict = await verifyAttestation({
        report: { ...report, nvidia_payload: payload },
        expected: { nonce, model: MODEL, needsPublicKey: false },
        policy: policyOf(gateway),
        nowMs: Date.now(),
      });
      return verdict.checks.find(({ id }) => id === 'gpu-evidence')?.outcome;
    };
    const [asSent, text, mixed] = await Promise.all([
      outcomeWith('\0\0\0\0'),
      outcomeWith('trust me'),
      outcomeWith('\0trust me\0'),
    ]);
    return judge(
      asSent === 'passed' && text === 'failed' && mixed === 'failed',
      `NUL bytes ${asSent}, text ${text}, text between NUL bytes ${mixed}`,
    );
  });
}
