import {
  createTurnpikeClient,
  GatewayError,
  type SandboxInfo,
  type TurnpikeClientOptions,
  UnreachableError,
} from '@/lib/client';
import { type ChatModelInfo, encryptingModel, listChatModels } from '@/lib/client/chat-models';
import {
  type AcceptableVerdict,
  attestationPolicy,
  PrivateChatError,
  PrivateChatSession,
} from '@/lib/client/private-chat';
import { Malformed } from '@/lib/protocol/tee/malformed';
import { nvidiaKeysFrom } from '../verify-attestation/nvidia-keys';
import { UsageError } from '../verify-attestation/usage-error';
import { type ChatContext, keepExport } from './chat-run';
import { converse } from './converse';
import { attestationJson, describeAttestation, describeStop } from './described';
import { type ChatOptions, HELP, readOptions } from './options';
import { simulatedRootFrom } from './simulated-root';

export const EXIT = { ok: 0, stopped: 1, usage: 2, gateway: 3, lateKey: 4, cancelled: 130 } as const;

/** Runs the command. @returns the exit code */
export async function runPrivateChat(args: readonly string[], context: ChatContext): Promise<number> {
  let options: ChatOptions | null = null;
  try {
    options = readOptions(args);
    if (options === null) {
      context.out(HELP);
      return EXIT.ok;
    }
    return (await converse(await prepare(options, context))) === 'verified' ? EXIT.ok : EXIT.lateKey;
  } catch (error) {
    return report(error, options, context);
  }
}

async function prepare(options: ChatOptions, context: ChatContext): Promise<Parameters<typeof converse>[0]> {
  const nvidiaKeys = options.nvidiaKeysFile === null ? [] : nvidiaKeysFrom(options.nvidiaKeysFile);
  const { connection, root } = await reach(options, context);
  const model = await chooseModel(options, connection, context.signal);
  const policy = attestationPolicy({
    simulatedRoot: root,
    ...options.pins,
    acceptedTcbStatuses: options.acceptedTcbStatuses,
    nvidiaKeys,
  });
  const accepted: AcceptableVerdict[] = [
    'verified',
    ...(options.allowUnknownWorkload ? (['unknown-workload'] as const) : []),
    ...(options.allowSimulated ? (['simulated'] as const) : []),
  ];
  return {
    session: new PrivateChatSession({
      connection,
      model: model.id,
      encrypted: model.can.encrypt,
      policy,
      accepted,
      signature: options.allowUnsigned ? 'where-possible' : 'required',
    }),
    options,
    model,
    connection,
    context,
  };
}

/** Returns the connection with its credential, and the simulator's root if the options allow one. */
async function reach(
  { url, allowSimulated, simulatedRootFile }: ChatOptions,
  { env, signal }: ChatContext,
): Promise<{ connection: TurnpikeClientOptions; root: string | null }> {
  const { TURNPIKE_KEY: apiKey, TURNPIKE_SIGN_IN: signIn } = env;
  const own: TurnpikeClientOptions = { baseUrl: url, ...(apiKey ? { apiKey } : signIn ? { signIn } : {}) };
  const isNamed = apiKey || signIn;
  const sandbox = allowSimulated && !(isNamed && simulatedRootFile !== null) ? await sandboxAt(url, signal) : null;
  if (!isNamed && !sandbox)
    throw new UsageError('TURNPIKE_KEY is not set: give an API key there, or a sign-in as TURNPIKE_SIGN_IN.');
  const root = simulatedRootFile === null ? (sandbox?.enclave?.root ?? null) : simulatedRootFrom(simulatedRootFile);
  if (allowSimulated && root === null)
    throw new UsageError(
      'This gateway is not a sandbox and names no simulator. --simulated-root reads a root from a file.',
    );
  return {
    connection: isNamed || !sandbox ? own : { baseUrl: url, apiKey: sandbox.demoKey },
    root: allowSimulated ? root : null,
  };
}

/** Returns the sandbox's description; null for a live gateway. @throws UsageError if the server is not a gateway */
async function sandboxAt(url: string, signal: AbortSignal): Promise<SandboxInfo | null> {
  const client = createTurnpikeClient({ baseUrl: url });
  const sandbox = await client.sandbox({ signal });
  if (sandbox !== null) return sandbox;
  // Live gateways and other servers both lack that path, but only gateways have a list of models.
  const { status, bodyText } = await client.read('/api/v1/models', { signal });
  if (status === 200 && bodyText.includes('"object":"list"')) return null;
  throw new UsageError(
    `No gateway answers at ${url}: its /api/v1/models is not a list of models (HTTP status ${status}).`,
  );
}

async function chooseModel(
  { model: id }: ChatOptions,
  connection: TurnpikeClientOptions,
  signal: AbortSignal,
): Promise<ChatModelInfo> {
  const models = await listChatModels(connection, { signal });
  const attested = models.filter(({ can }) => can.attest);
  const model = id === null ? encryptingModel(attested) : attested.find((each) => each.id === id);
  if (model) return model;
  const names = attested.map((each) => each.id).join(', ') || 'none';
  if (id === null)
    throw new UsageError(`No model of this gateway accepts encrypted requests. Models in enclaves: ${names}.`);
  const isKnown = models.some((each) => each.id === id);
  throw new UsageError(
    `${isKnown ? `${id} does not run in an enclave, so it is not private` : `There is no model ${id}`}. Models in enclaves: ${names}.`,
  );
}

function report(error: unknown, options: ChatOptions | null, { out, err, signal }: ChatContext): number {
  if (signal.aborted) return EXIT.cancelled;
  if (error instanceof UsageError || error instanceof Malformed) {
    err(`${error.message}\n`);
    return EXIT.usage;
  }
  if (error instanceof PrivateChatError) {
    if (error.attestation && options?.exportFile != null)
      keepExport(options.exportFile, error.attestation.exportText());
    if (options?.json)
      out(
        `${JSON.stringify({ error: { code: error.code, message: error.message, detail: error.detail, hint: error.hint }, attestation: error.attestation && attestationJson(error.attestation) }, null, 2)}\n`,
      );
    else if (error.attestation) err(`${describeAttestation(error.attestation)}\n`);
    err(describeStop(error));
    return EXIT.stopped;
  }
  if (error instanceof GatewayError || error instanceof UnreachableError) {
    const hint =
      error instanceof GatewayError ? error.detail.hint : 'Check that the gateway runs, or name another with --url.';
    err(`${error.message}${hint === null ? '' : `\n${hint}`}\n`);
    return EXIT.gateway;
  }
  throw error;
}
