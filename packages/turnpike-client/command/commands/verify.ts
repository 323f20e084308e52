import { attestationPolicy, attestationRefusal, attestModel, type PolicyAdditions } from '@/lib/client/private-chat';
import { connectionNow } from '@/lib/client/private-chat/connection';
import { argumentsNamed, noArguments } from '@/lib/command-line/options';
import { UsageError } from '@/lib/command-line/usage-error';
import { measuredSince } from '@/lib/client/measurements';
import { listChatModels } from '@/lib/client/chat-models';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { INTEL_ROOT } from '@/lib/protocol/tee/trusted-roots';
import { type Command, type CommandIo, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, type CustomerValues, readPrivateCustomer } from '../customer';
import { attestationJson, describeAttestation } from '../described-attestation';
import { lookAtMeasurements, tellLooks } from '../measurement-watch';
import { readOptions } from '../options';
import { jsonText } from '../printable';
import { PRIVATE_HELP, PRIVATE_OPTIONS, type PrivateValues, readDemands, readPrivateOptions } from '../private-options';
import type { OfflineVerdict } from '../verify/offline-verdict';
import { PUBLIC_SERVICES, recordAttestation } from '../verify/record';
import { verifyExport } from '../verify/verify-export';
import { verifyRecording } from '../verify/verify-recording';

const HELP = `turnpike-client verify MODEL [options]
turnpike-client verify --file FILE [options]
turnpike-client verify --recording DIR [options]

Asks the enclave of a model for a report over a fresh nonce and verifies it here. With --file or
--recording, verifies stored evidence offline, with the built-in roots. The exit code is 0
for an accepted verdict, otherwise 1.

  --file FILE            an attestation that the console or --export has written; "-" is standard
                         input
  --recording DIR        folder with the answers of a provider, Intel and NVIDIA:
                         manifest.json, and responses/ with a .json and a .body for each answer
  --record URL           first make the recording DIR: ask this provider with a fresh nonce, then
                         Intel and NVIDIA about its hardware. {nonce} in it is replaced. Repeat it
                         for providers that take several calls. ATTESTATION_AUTHORIZATION in the
                         environment is the header Authorization for the provider
  --model MODEL          with --record: the model whose report is requested
  --print-pins           print the pins that a recording would need, as JSON for --pins
  --trust-log            trust the gateway's log of measurements anew, after a warning of two
                         histories
  --at TIME              verify stored evidence as of this time (ISO 8601, or "now"); by default,
                         as of the export or recording
${PRIVATE_HELP}
${CUSTOMER_HELP}
`;

const OPTIONS = {
  ...CUSTOMER_OPTIONS,
  ...PRIVATE_OPTIONS,
  file: { type: 'string' },
  recording: { type: 'string' },
  record: { type: 'string', multiple: true },
  model: { type: 'string' },
  'print-pins': { type: 'boolean' },
  'trust-log': { type: 'boolean' },
  at: { type: 'string' },
} as const;

interface VerifyValues extends CustomerValues, PrivateValues {
  file?: string;
  recording?: string;
  record?: string[];
  model?: string;
  'print-pins'?: boolean;
  'trust-log'?: boolean;
  at?: string;
}

export const verify: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, OPTIONS);
    checkCombination(values);
    if (values.file === undefined && values.recording === undefined)
      return verifyModel(argumentsNamed(positionals, 'MODEL').MODEL, values, io);
    noArguments(positionals);
    try {
      return await verifyKept(values, io);
    } catch (error) {
      throw error instanceof Malformed ? new UsageError(error.message) : error;
    }
  },
};

function checkCombination(values: VerifyValues): void {
  const isKept = values.file !== undefined || values.recording !== undefined;
  if (values.file !== undefined && values.recording !== undefined)
    throw new UsageError('Give --file or --recording, not both.');
  if (values.record !== undefined && values.recording === undefined)
    throw new UsageError('--record needs the folder to record into: --recording DIR.');
  if (values['print-pins'] && values.recording === undefined)
    throw new UsageError('--print-pins needs a recording: --recording DIR.');
  if (values.model !== undefined && values.record === undefined)
    throw new UsageError('--model works only with --record. Name the model without an option, as in: verify MODEL');
  if (values['trust-log'] && isKept) throw new UsageError('--trust-log works only with a MODEL.');
  if (values.at !== undefined && !isKept) throw new UsageError('--at works only with --file or --recording.');
  if (values['simulated-root'] !== undefined && isKept)
    throw new UsageError(
      '--simulated-root does not work with --file or --recording, whose evidence contains its own root. Use --allow-simulated.',
    );
}

async function verifyModel(model: string, values: VerifyValues, io: CommandIo): Promise<number> {
  const customer = await readPrivateCustomer(values, io, { budget: null });
  const { accepted = ['verified'], ...additions } = await readPrivateOptions(values, customer);
  const attestation = await attestModel({
    connection: customer.connection,
    model,
    policy: attestationPolicy(additions satisfies PolicyAdditions),
    needsPublicKey: await takesEncryption(connectionNow(customer.connection), model, io.signal),
    signal: io.signal,
  });
  const gateway = new URL(customer.url).host;
  const refusal = attestationRefusal(attestation, accepted);
  const { conclusion, reason, checks, measurements, workload, family, enclaves } = attestation.verdict;
  const look = await lookAtMeasurements({ ...io, url: customer.url }, attestation, {
    trustsLog: values['trust-log'] === true,
  });
  const { log, warnings } = look;
  const at = log && measuredSince(log, model, attestation.verdict);
  const since = at === null ? null : new Date(at * 1_000).toISOString();
  if (values.json) {
    const { hops } = attestationJson(attestation, gateway);
    io.out(
      `${jsonText({ model, verdict: conclusion, reason, isAccepted: refusal === null, workload, checks: checks.map(({ id, outcome, reason: why }) => ({ id, outcome, reason: why })), measurements, family, enclaves, hops, measuredSince: since, measurementLogFault: log?.fault ?? null, measurementWarnings: warnings }, 2)}\n`,
    );
  } else {
    io.out(
      describeAttestation(attestation, gateway, [
        [
          'Measured since',
          log !== null && log.fault !== null ? `unknown, because the log is not valid. ${log.reason}` : since,
        ],
      ]),
    );
    if (refusal) io.out(`${refusal.message}\n${refusal.hint}\n`);
  }
  // The lines above already report an invalid log.
  tellLooks([{ ...look, warnings: warnings.filter(({ kind }) => kind !== 'broken') }], io);
  return refusal === null ? EXIT.done : EXIT.failed;
}

async function verifyKept(values: VerifyValues, io: CommandIo): Promise<number> {
  const { accepted, policy } = readDemands(values);
  const options = { policy, atMs: timeOf(values.at), json: values.json === true };
  const isAccepted = ({ conclusion }: OfflineVerdict): boolean => accepted.some((each) => each === conclusion);
  if (values.recording === undefined) {
    const verdict = await verifyExport(values.file ?? '', options);
    io.out(verdict.text);
    return isAccepted(verdict) ? EXIT.done : EXIT.failed;
  }
  if (values.record !== undefined)
    await recordAttestation({
      urls: values.record,
      folder: values.recording,
      model: values.model ?? null,
      authorization: io.env['ATTESTATION_AUTHORIZATION'] ?? null,
      services: PUBLIC_SERVICES,
      roots: [INTEL_ROOT],
      nowMs: Date.now(),
    });
  const printPins = values['print-pins'] === true;
  const verdict = await verifyRecording(values.recording, { ...options, printPins });
  io.out(verdict.text);
  return (printPins && verdict.hasEnclaves) || isAccepted(verdict) ? EXIT.done : EXIT.failed;
}

function timeOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const timeMs = text === 'now' ? Date.now() : Date.parse(text);
  if (Number.isNaN(timeMs))
    throw new UsageError(`--at is ${JSON.stringify(text)}; it must be a time in ISO 8601, or "now".`);
  return timeMs;
}

async function takesEncryption(
  connection: ReturnType<typeof connectionNow>,
  model: string,
  signal: AbortSignal,
): Promise<boolean> {
  const models = await listChatModels(connection, { signal });
  return models.find(({ id }) => id === model)?.can.encrypt ?? false;
}
