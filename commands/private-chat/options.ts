import { parseArgs } from 'node:util';
import type { TcbStatus } from '@/lib/protocol/tee/hardware/tcb-status';
import type { WorkloadPins } from '@/lib/protocol/tee/workload/known-workload';
import { status } from '../verify-attestation/options';
import { PIN_HELP, PIN_OPTIONS, pinsOf } from '../verify-attestation/pin-options';
import { UsageError } from '../verify-attestation/usage-error';

const DEFAULT_URL = 'http://localhost:3000';

export const HELP = `npm run private-chat -- [options] "QUESTION"

Chats with a model in an enclave: verifies the enclave's quote here, encrypts to its key,
decrypts the answer as it comes, and checks the enclave's signature over every byte.
The answer goes to standard output, all else to standard error.

  --url URL                 the gateway (${DEFAULT_URL}), with or without /api/v1
  --model ID                the model; left out, the first that encrypts
  --system TEXT             the system message; it is encrypted too
  --max-tokens N            maximum tokens of an answer
  -i, --interactive         a conversation, a line at a time; /attest attests again, /quit ends it

${PIN_HELP}
  --accept-tcb STATUS       take this status of the platform too; may be given several times
  --nvidia-keys FILE        NVIDIA's keys as a JSON Web Key Set, to check the GPUs' verdict
  --allow-unknown-workload  send to genuine hardware though no pinned workload runs there
  --allow-simulated         send to a simulator, whose root the gateway names (a sandbox)
  --simulated-root FILE     the same with a root of your own: a certificate as PEM, DER or base64
  --allow-unsigned          ask a model too whose enclave neither signs nor takes anything encrypted;
                            without it nothing is sent to one

  --show-ciphertext         show what is sent and what comes back
  --export FILE             keep the attestation for npm run verify-attestation
  --json                    everything as one JSON document
  -h, --help                this text

TURNPIKE_KEY is the API key, TURNPIKE_SIGN_IN the value of a SIGN-IN-WITH-X header. With
neither, --allow-simulated takes the sandbox's demo key.

Exit code: 0 attested, answered, and signed or otherwise vouched for (of a model that does not
             sign, with --allow-unsigned: answered)
           1 stopped by what did not hold, or was not allowed · 2 wrong usage
           3 the gateway refused or did not answer
           4 answered and signed by another key than the one attested before, which was
             attested after the answer (models without encryption) · 130 cancelled
           141 nobody reads the output any more
`;

export interface ChatOptions {
  url: string;
  /** Null selects the first model that supports encryption. */
  model: string | null;
  system: string | null;
  maxTokens: number | null;
  /** Null in a conversation that begins with a line of input. */
  question: string | null;
  interactive: boolean;
  pins: WorkloadPins;
  acceptedTcbStatuses: TcbStatus[];
  nvidiaKeysFile: string | null;
  allowUnknownWorkload: boolean;
  allowSimulated: boolean;
  simulatedRootFile: string | null;
  allowUnsigned: boolean;
  showCiphertext: boolean;
  exportFile: string | null;
  json: boolean;
}

const OPTIONS = {
  url: { type: 'string' },
  model: { type: 'string' },
  system: { type: 'string' },
  'max-tokens': { type: 'string' },
  interactive: { type: 'boolean', short: 'i' },
  ...PIN_OPTIONS,
  'accept-tcb': { type: 'string', multiple: true },
  'nvidia-keys': { type: 'string' },
  'allow-unknown-workload': { type: 'boolean' },
  'allow-simulated': { type: 'boolean' },
  'simulated-root': { type: 'string' },
  'allow-unsigned': { type: 'boolean' },
  'show-ciphertext': { type: 'boolean' },
  export: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the command line. @returns null for help @throws {UsageError} */
export function readOptions(args: readonly string[]): ChatOptions | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [question, more] = positionals;
  const interactive = values.interactive ?? false;
  if (more !== undefined) throw new UsageError('Give one question, in quotation marks.');
  if (!interactive && !question?.trim()) throw new UsageError('Give a question, or --interactive.');
  if (interactive && values.json) throw new UsageError('--json is for a single question.');
  return {
    url: url(values.url ?? DEFAULT_URL),
    model: values.model ?? null,
    system: values.system ?? null,
    maxTokens: values['max-tokens'] === undefined ? null : tokens(values['max-tokens']),
    question: question?.trim() ? question : null,
    interactive,
    pins: pinsOf(values),
    acceptedTcbStatuses: ['UpToDate', ...(values['accept-tcb'] ?? []).map(status)],
    nvidiaKeysFile: values['nvidia-keys'] ?? null,
    allowUnknownWorkload: values['allow-unknown-workload'] ?? false,
    allowSimulated: values['allow-simulated'] === true || values['simulated-root'] !== undefined,
    simulatedRootFile: values['simulated-root'] ?? null,
    allowUnsigned: values['allow-unsigned'] ?? false,
    showCiphertext: values['show-ciphertext'] ?? false,
    exportFile: values.export ?? null,
    json: values.json ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Parses the gateway's URL. Also accepts a base URL for OpenAI clients. */
function url(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text)) throw new UsageError('--url must be an http:// or https:// URL.');
  return text.replace(/\/api\/v1\/*$/, '');
}

function tokens(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new UsageError('--max-tokens must be a whole number from 1.');
  return count;
}
