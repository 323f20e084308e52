import { isAbort, TurnpikeError, turnpikeErrorOf } from '../src/turnpike-error';
import { type Command, type CommandIo, EXIT } from './command';
import { balance } from './commands/balance';
import { chat } from './commands/chat';
import { keys } from './commands/keys';
import { mcp } from './commands/mcp';
import { proxy } from './commands/proxy';
import { rpc } from './commands/rpc';
import { topUp } from './commands/top-up';
import { usage } from './commands/usage';
import { verify } from './commands/verify';
import { UsageError } from './usage-error';

const COMMANDS: Readonly<Record<string, Command>> = { proxy, mcp, chat, rpc, verify, balance, 'top-up': topUp, usage, keys };

const HELP = `turnpike-client COMMAND [options]

A customer of a Turnpike gateway at the shell: signs in with a wallet or an API key, pays within
a budget, and verifies and encrypts chats on this side.

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`)
  .join('\n')}

turnpike-client COMMAND --help tells the options of one.

Exit code: 0 done · 1 the answer is no · 2 wrong usage · 3 the gateway refused or did not
           answer · 4 no money was moved, or the payment was refused · 130 cancelled
`;

const OF_MONEY = /^(BUDGET_|TOP_UP_|PAYMENT_|ASSET_|TERMS_|RAIL_|SOLANA_RPC_|WALLET_|INSUFFICIENT_)/;
const OF_PROOF = /^(ATTESTATION_|SIGNATURE_|REPLY_|NOT_PRIVATE)/;

/** Runs a command line to its end. @returns the exit code; whatever goes wrong is said as a sentence */
export async function runCommandLine([name, ...args]: readonly string[], io: CommandIo): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? io.err : io.out)(HELP);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const isJson = args.includes('--json');
  try {
    if (command === undefined) throw new UsageError(`There is no command ${JSON.stringify(name)}; there are ${Object.keys(COMMANDS).join(', ')}.`);
    if (args.includes('--help') || args.includes('-h')) {
      io.out(command.help);
      return EXIT.done;
    }
    return await command.run(args, io);
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
    if (isJson) io.out(`${JSON.stringify({ error: error.message, code: 'USAGE' })}\n`);
    else io.err(`${error.message}\n`);
    return EXIT.usage;
  }
  const typed = error instanceof TurnpikeError ? error : turnpikeErrorOf(error);
  if (isJson) io.out(`${JSON.stringify({ error: typed.message, code: typed.code, remedy: typed.remedy, status: typed.status, detail: typed.detail })}\n`);
  else io.err(`${typed.message}\n${typed.message.includes(typed.remedy) ? '' : `${typed.remedy}\n`}`);
  if (OF_MONEY.test(typed.code) || typed.status === 402) return EXIT.money;
  return OF_PROOF.test(typed.code) ? EXIT.failed : EXIT.refused;
}
