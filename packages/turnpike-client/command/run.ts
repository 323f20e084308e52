import { type FieldError, GatewayError, OversizedAnswerError, UnreachableError } from '@/lib/client/gateway-error';
import { PrivateChatError } from '@/lib/client/private-chat';
import { version } from '../package.json';
import { isAbort, privateRefusal, TurnpikeError, turnpikeErrorOf } from '../src/turnpike-error';
import { type Command, type CommandIo, EXIT } from './command';
import { inOwnWords } from './own-words';
import { jsonText, printable } from './printable';
import { optionWords } from '@/lib/command-line/options';
import { UsageError } from '@/lib/command-line/usage-error';

/** Each command loads its code when run, so that the MCP code does not slow the other commands. */
const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<Command> }>> = {
  proxy: {
    summary: 'run a local endpoint for programs that speak OpenAI, Anthropic or JSON-RPC',
    load: async () => (await import('./commands/proxy')).proxy,
  },
  mcp: {
    summary: 'run an MCP server for agents, over standard input and output or HTTP',
    load: async () => (await import('./commands/mcp')).mcp,
  },
  chat: {
    summary: 'ask a model in an enclave, end-to-end encrypted',
    load: async () => (await import('./commands/chat')).chat,
  },
  rpc: { summary: 'call a JSON-RPC method of a blockchain', load: async () => (await import('./commands/rpc')).rpc },
  verify: {
    summary: "verify the attestation of a model's enclave, an export or a recording",
    load: async () => (await import('./commands/verify')).verify,
  },
  balance: { summary: 'show the balances', load: async () => (await import('./commands/balance')).balance },
  'top-up': {
    summary: 'pay USDC from the wallet into its prepaid balance',
    load: async () => (await import('./commands/top-up')).topUp,
  },
  withdraw: {
    summary: 'withdraw prepaid money to the wallet that paid it',
    load: async () => (await import('./commands/withdraw')).withdrawal,
  },
  usage: {
    summary: 'show charges, each call or summed',
    load: async () => (await import('./commands/usage')).usage,
  },
  receipt: {
    summary: 'fetch the signed receipt of a call, or check one offline',
    load: async () => (await import('./commands/receipt')).receipt,
  },
  keys: {
    summary: 'list, mint or revoke API keys',
    load: async () => (await import('./commands/keys')).keys,
  },
};

const EXIT_HELP = `Exit code: 0 done · 1 negative result · 2 wrong usage, or no account · 3 the gateway refused or
           did not answer · 4 the budget or the wallet cannot pay · 70 a bug in this program ·
           130 cancelled · 141 nobody reads the output`;

const HELP = `turnpike-client COMMAND [options]

Uses a gateway from the shell: signs in with a wallet or an API key, pays within a budget,
and verifies and encrypts chats on this machine.

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`)
  .join('\n')}

turnpike-client COMMAND --help lists the options of a command.

${EXIT_HELP}
`;

const OF_MONEY =
  /^(BUDGET_|TOP_UP_|PAYMENT_|ASSET_|TERMS_|RAIL_|SOLANA_RPC_|WALLET_(REFUSED|FAILED|TIMEOUT)|INSUFFICIENT_)/;
/** Matches codes of errors that this package raises before any request. */
const OF_USAGE = /^(URL_|ACCOUNT_|API_KEY_MALFORMED|BUDGET_INVALID|NETWORK_INVALID|OPTION_INVALID)/;
const OF_PROOF = /^(ATTESTATION_|SIGNATURE_|REPLY_|NOT_PRIVATE|ANSWERS_NOT_SIGNED)/;

/** Runs a command line. Prints errors as sentences or JSON. @returns exit code */
export function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  // Text in `out` and `err` passes through this filter.
  return run(args, { ...io, out: (text) => io.out(printable(text)), err: (text) => io.err(printable(text)) });
}

async function run([name, ...args]: readonly string[], io: CommandIo): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? io.err : io.out)(HELP);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === '--version' || name === '-V') {
    io.out(`${version}\n`);
    return EXIT.done;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const options = optionWords(args);
  const isJson = options.includes('--json');
  try {
    if (command === undefined)
      throw new UsageError(
        `There is no command ${JSON.stringify(name)}. The commands are ${Object.keys(COMMANDS).join(', ')}.`,
      );
    const loaded = await command.load();
    if (options.includes('--help') || options.includes('-h')) {
      io.out(`${loaded.help}\n${EXIT_HELP}\n`);
      return EXIT.done;
    }
    return await loaded.run(args, io);
  } catch (error) {
    return told(error, isJson, io);
  }
}

function told(error: unknown, isJson: boolean, io: CommandIo): number {
  if (io.signal.aborted || isAbort(error)) {
    io.err('Cancelled.\n');
    return EXIT.cancelled;
  }
  if (error instanceof UsageError) {
    if (isJson) io.out(`${jsonText({ error: error.message, code: 'USAGE' })}\n`);
    else io.err(`${error.message}\n`);
    return EXIT.usage;
  }
  const typed = typedError(error);
  if (typed === null) {
    io.err(
      `This is a bug in turnpike-client: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return EXIT.fault;
  }
  const { message, remedy } = inOwnWords(typed);
  if (isJson)
    io.out(`${jsonText({ error: message, code: typed.code, remedy, status: typed.status, detail: typed.detail })}\n`);
  else
    io.err(
      `${[message, ...(message.includes(remedy) ? [] : [remedyForPeople(remedy, typed)])].filter(Boolean).join('\n')}\n`,
    );
  if (typed.status === null && OF_USAGE.test(typed.code)) return EXIT.usage;
  if (OF_MONEY.test(typed.code) || typed.status === 402) return EXIT.money;
  return OF_PROOF.test(typed.code) ? EXIT.failed : EXIT.refused;
}

function remedyForPeople(remedy: string, { detail }: TurnpikeError): string {
  if (!remedy.includes('"details"')) return remedy;
  const faults = Array.isArray(detail['fieldErrors']) ? (detail['fieldErrors'] as readonly FieldError[]) : [];
  return faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n');
}

function typedError(error: unknown): TurnpikeError | null {
  if (error instanceof PrivateChatError) return privateRefusal(error);
  const isKnown = [TurnpikeError, GatewayError, UnreachableError, OversizedAnswerError].some(
    (kind) => error instanceof kind,
  );
  return isKnown ? turnpikeErrorOf(error) : null;
}
