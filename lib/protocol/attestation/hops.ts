import type { EnclaveKey } from './enclave';
import type { Hop, HopContext, HopEnclave, HopKind, HopProof, HopQuestion, HopReads, HopStanding } from './hop';
import { hopTexts } from './hop-texts';

/**
 * The path of a prompt, hop by hop: who runs each, what they could read, and what proves it. One function for all who
 * show it (gateway, console, commands), so that they cannot differ. It decides nothing about evidence: what is proved is
 * what the verifier found, and what nobody can check stands as a claim.
 */

/** The hops of a prompt in their order, from who asks to the GPUs. */
export function hopsOf(question: HopQuestion): readonly Hop[] {
  const { client, gateway, provider, isAttested, encryption } = question;
  const onTheWay = isAttested ? enclavesOnTheWay(question.enclaves) : [];
  const recipient = encryption === null ? null : recipientOf(onTheWay, encryption);
  const before = (kind: 'gateway' | 'provider', name: string | null) =>
    hop(
      kind,
      name,
      encryption === null ? 'content' : 'metadata',
      encryption === null ? 'claim' : 'encryption',
      encryption === null ? 'claim' : standingOf(recipient),
      { ...question, enclave: recipient },
    );
  const hops = [
    hop('client', null, 'content', client === 'page' ? 'claim' : 'none', client === 'page' ? 'claim' : 'own', question),
    before('gateway', gateway),
    before('provider', provider),
  ];
  if (!isAttested) return [...hops, hop('model', null, 'content', 'claim', 'claim', question)];
  if (onTheWay.length === 0)
    return [
      ...hops,
      hop('model', null, 'content', 'attestation', 'unchecked', question),
      hop('gpu', null, 'content', 'claim', 'claim', question),
    ];
  const recipientAt = recipient === null ? 0 : onTheWay.indexOf(recipient);
  return [
    ...hops,
    ...onTheWay.map((enclave, index) => enclaveHop(enclave, index < recipientAt ? 'metadata' : 'content', question)),
    ...hopsBehind(onTheWay, question),
  ];
}

/** Those in front of the model, then the instance of the model that would be used. */
function enclavesOnTheWay(enclaves: readonly HopEnclave[]): readonly HopEnclave[] {
  const isModel = ({ role }: HopEnclave) => role === 'model';
  const instances = enclaves.filter((enclave) => isModel(enclave) && enclave.unusable === null);
  const used =
    instances.find((enclave) => 'isUsed' in enclave && enclave.isUsed) ?? instances[0] ?? enclaves.find(isModel);
  return [...enclaves.filter((enclave) => !isModel(enclave)), ...(used === undefined ? [] : [used])];
}

/** Whom content is encrypted to: with HPKE (RFC 9180) the enclave that ends the connection, else the one that is nearest to the model. Keys of what did not hold are none. */
function recipientOf(onTheWay: readonly HopEnclave[], encryption: EnclaveKey['algorithm']): HopEnclave | null {
  const order = encryption === 'x25519-hpke' ? onTheWay : [...onTheWay].reverse();
  return (
    order.find(({ keys }) => keys.some((key) => key.algorithm === encryption && key.purpose === 'encryption')) ??
    order[0] ??
    null
  );
}

function enclaveHop(enclave: HopEnclave, reads: HopReads, question: HopQuestion): Hop {
  return hop(enclave.role === 'model' ? 'model' : 'router', enclave.name, reads, 'attestation', standingOf(enclave), {
    ...question,
    enclave,
  });
}

/** An enclave that was checked stands as it was found; one that was only reported, or that there is no report of, was not. */
function standingOf(enclave: HopEnclave | null): HopStanding {
  return enclave !== null && 'verdict' in enclave ? enclave.verdict : 'unchecked';
}

/**
 * GPUs are the model's: a report that has none of them leaves them a claim, whatever else holds. So is the model itself
 * where a report ends at a router: what computes behind it is no less on the way for not being in the report.
 */
function hopsBehind(onTheWay: readonly HopEnclave[], question: HopQuestion): Hop[] {
  const enclave = onTheWay.at(-1) as HopEnclave;
  if (enclave.role !== 'model')
    return (['model', 'gpu'] as const).map((kind) =>
      hop(kind, null, 'content', 'claim', 'claim', { ...question, enclave: null }),
    );
  const standing = gpuStanding(enclave);
  return [
    hop('gpu', null, 'content', standing === 'claim' ? 'claim' : 'attestation', standing, { ...question, enclave }),
  ];
}

function gpuStanding(enclave: HopEnclave): HopStanding {
  if (!('verdict' in enclave)) return enclave.gpus === null ? 'claim' : 'unchecked';
  const outcomeOf = (id: 'gpu-evidence' | 'gpu') =>
    enclave.checks.find((check) => check.id === id)?.outcome ?? 'not-checkable';
  const [evidence, vouched] = [outcomeOf('gpu-evidence'), outcomeOf('gpu')];
  if (evidence === 'failed' || vouched === 'failed') return 'failed';
  if (evidence === 'not-checkable') return 'claim';
  return vouched === 'passed' ? enclave.verdict : 'not-checkable';
}

function hop(
  kind: HopKind,
  name: string | null,
  reads: HopReads,
  proof: HopProof,
  standing: HopStanding,
  context: HopContext,
): Hop {
  const said = { kind, name, reads, proof, standing };
  return { ...said, text: hopTexts(said, context) };
}
