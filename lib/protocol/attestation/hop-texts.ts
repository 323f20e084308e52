import type { HardwareClaim } from './enclave';
import { factsOf } from './family-facts';
import type { Hop, HopContext, HopKind, HopStanding } from './hop';

/** Describes a hop in sentences for readers who do not know the protocol. */
export function hopTexts(hop: Omit<Hop, 'text'>, context: HopContext): Hop['text'] {
  return { operator: operatorOf(hop, context), reads: readsOf(hop), proof: proofOf(hop, context) };
}

export const HOP_TITLES: Readonly<Record<HopKind, string>> = {
  client: 'You',
  gateway: 'This gateway',
  provider: 'The provider’s servers',
  router: 'The provider’s router, in an enclave',
  model: 'The model',
  gpu: 'The GPUs',
};

export const HOP_STANDINGS: Readonly<Record<HopStanding, string>> = {
  own: 'yours',
  claim: 'a claim',
  unchecked: 'not checked here',
  verified: 'verified',
  'unknown-workload': 'unknown workload',
  simulated: 'simulated',
  failed: 'failed',
  'not-checkable': 'not checkable',
};

const HARDWARE: Readonly<Record<HardwareClaim['kind'], string>> = {
  'intel-tdx': 'Intel TDX',
  'amd-sev-snp': 'AMD SEV-SNP',
  unknown: 'unknown hardware',
};

function operatorOf(
  { kind, proof }: Omit<Hop, 'text'>,
  { client, gateway, provider, isAttested, enclave }: HopContext,
): string {
  const theProvider = provider === null ? 'Whoever runs the model' : `Whoever runs the model (${provider})`;
  switch (kind) {
    case 'client':
      return client === 'page' ? 'You, in this browser.' : 'You, on your own machine.';
    case 'gateway':
      return gateway === null ? 'The operator of this gateway.' : `The operator of this gateway (${gateway}).`;
    case 'provider':
      return `${theProvider}.`;
    case 'gpu':
      return `${theProvider}; the devices are NVIDIA’s.`;
    default:
      if (!isAttested || proof === 'claim') return `${theProvider}.`;
      return enclave == null
        ? `${theProvider}; the machine is said to be closed to them.`
        : `${theProvider}; the enclave (${HARDWARE[enclave.hardware]}) is meant to keep them out.`;
  }
}

function readsOf({ kind, reads }: Omit<Hop, 'text'>): string {
  if (reads === 'metadata') return 'When you write, how much, and to which model, but not a word of it.';
  if (kind === 'client') return 'Everything: it is where you write.';
  if (kind === 'gpu') return 'Everything: the model computes there.';
  return 'Every word, question and answer.';
}

function proofOf(
  { kind, proof, standing }: Omit<Hop, 'text'>,
  { client, isAttested, family, enclave }: HopContext,
): string {
  if (kind === 'client')
    return client === 'page'
      ? 'Its code comes from the gateway that it checks. The same client also runs as a command.'
      : client === 'program'
        ? 'No proof is needed: it is your own program.'
        : 'Your own program needs no proof. What a page of this gateway does is a claim of the gateway.';
  if (proof === 'encryption')
    return `Encrypted to the key of ${enclave?.role === 'router' ? 'the router’s enclave' : 'the model’s enclave'}. Its attestation: ${FOUND[standing]}.`;
  if (kind === 'gateway') return 'Nothing. The gateway only claims that it stores and shares no content.';
  if (kind === 'provider')
    return factsOf(family)?.endsTls === true
      ? 'Nothing. The report contains the TLS key of the enclave, but only the gateway can see whether its connection ended there.'
      : 'Nothing. The provider only claims that nobody there reads along.';
  if (kind === 'gpu')
    return isAttested && enclave === null
      ? 'Nothing in the report. The provider only claims which hardware computes.'
      : gpuProof(standing);
  if (!isAttested) return 'Nothing. The provider only claims which model answers and who reads along.';
  if (proof === 'claim')
    return 'Nothing in the report, which ends at the router. The router’s program decides where it sends content. The provider only claims where that content is computed.';
  return `The attestation of its hardware, over your nonce: ${FOUND[standing]}.`;
}

const FOUND: Readonly<Record<HopStanding, string>> = {
  own: 'yours',
  claim: 'nobody can check it',
  unchecked: 'not checked here; check it yourself',
  verified: 'genuine, and running a pinned workload',
  'unknown-workload': 'genuine, but running a workload that is not pinned',
  simulated: 'from a simulator, which proves nothing',
  failed: 'a check failed',
  'not-checkable': 'data for the check is missing',
};

/** Summarizes which hops could read the content. */
export function whoCouldRead(hops: readonly Hop[]): string {
  const claimed = hops.filter(
    ({ kind, reads, standing }) =>
      reads === 'content' && standing === 'claim' && (kind === 'gateway' || kind === 'provider' || kind === 'model'),
  );
  const enclaves = hops.filter(({ kind, proof }) => proof === 'attestation' && (kind === 'router' || kind === 'model'));
  const worst = ORDER.find((standing) => enclaves.some((hop) => hop.standing === standing)) ?? 'unchecked';
  const isOnlyBehindRouter = enclaves.length > 0 && claimed.length > 0 && claimed.every(({ kind }) => kind === 'model');
  const before = isOnlyBehindRouter ? ENCRYPTED_TO_ROUTER[worst] : undefined;
  if (before !== undefined)
    return `${before} Whoever runs the model could also read it, and the report says nothing about them.`;
  if (claimed.length > 0 && !isOnlyBehindRouter)
    return `${listed(claimed.map(({ kind }) => READERS[kind]))} could read every word, and nothing proves that they do not.`;
  return ENCRYPTED[worst];
}

/**
 * Summaries by the hops' worst standing, for content encrypted to a router without a model enclave behind it. A
 * standing without an entry here uses `ENCRYPTED`.
 */
const ENCRYPTED_TO_ROUTER: Readonly<Partial<Record<HopStanding, string>>> = {
  unchecked: 'Content is encrypted to the router’s enclave, which was not checked here.',
  verified:
    'Nobody before the router’s enclave could read a word. That enclave was verified and runs a pinned workload.',
  'unknown-workload':
    'Nobody before the router’s enclave could read a word. That enclave runs a workload that is not pinned.',
  simulated:
    'With a real enclave, nobody before the router could read a word. This one is simulated, so whoever runs it can.',
};

/** Worst to best. */
const ORDER: readonly HopStanding[] = [
  'failed',
  'not-checkable',
  'unchecked',
  'simulated',
  'unknown-workload',
  'verified',
];

const READERS: Readonly<Record<HopKind, string>> = {
  client: 'you',
  gateway: 'this gateway',
  provider: 'the provider’s servers',
  router: 'the provider’s router',
  model: 'whoever runs the model',
  gpu: 'the GPUs',
};

const ENCRYPTED: Readonly<Record<HopStanding, string>> = {
  own: 'You alone.',
  claim: 'It is only a claim that nobody else reads along.',
  unchecked: 'Content is encrypted to an enclave that was not checked here.',
  verified: 'Nobody could read a word except a verified enclave that runs a pinned workload.',
  'unknown-workload':
    'Nobody could read a word except a genuine enclave. Its workload is not pinned, so nobody knows what it does with the words.',
  simulated: 'A real enclave would hide every word. This one is simulated and hides nothing.',
  failed: 'The attestation is not valid, so the answering server could read every word.',
  'not-checkable': 'The attestation cannot be checked, so the answering server could read every word.',
};

function listed(names: readonly string[]): string {
  const text = names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function gpuProof(standing: HopStanding): string {
  switch (standing) {
    case 'claim':
      return 'Nothing that can be checked. The report has no GPU evidence, so the enclave only claims to use these GPUs.';
    case 'failed':
      return 'The GPU evidence, which failed a check.';
    case 'not-checkable':
      return 'The GPU signatures are valid, but NVIDIA’s verdict is missing.';
    case 'unchecked':
      return 'The GPU evidence in the report, not checked here; check it yourself.';
    case 'simulated':
      return 'Evidence under a simulator’s root, which proves nothing.';
    default:
      return 'Signatures of the GPUs over the same nonce, and NVIDIA’s verdict on their state.';
  }
}
