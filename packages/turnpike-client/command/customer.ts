import { askSandbox } from '@/lib/client/sandbox-info';
import type { Budget } from '../src/budget';
import { createTurnpike, type Turnpike, type TurnpikeOptions, VALID_SECONDS_RANGE } from '../src/turnpike';
import type { EventListener } from '../src/turnpike-event';
import { ACCOUNT_HELP, ACCOUNT_OPTIONS, type AccountPlaces, isAccountNamed, readAccountSource } from './account-source';
import type { CommandIo } from './command';
import { countOption, usdOption } from './options';
import { allowsSimulated, type PrivateValues } from './private-options';

const DEFAULT_URL = 'http://localhost:3000';

export const CUSTOMER_OPTIONS = {
  url: { type: 'string' },
  ...ACCOUNT_OPTIONS,
  'per-day': { type: 'string' },
  'per-call': { type: 'string' },
  'top-up': { type: 'string' },
  'allow-asset': { type: 'string', multiple: true },
  'solana-rpc': { type: 'string' },
  'valid-for': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const CUSTOMER_HELP = `  --url URL              URL of the gateway (TURNPIKE_URL, else ${DEFAULT_URL})
${ACCOUNT_HELP}
  --json                 print JSON
  -h, --help             this text`;

export const TOKEN_HELP = `  --allow-asset TOKEN    another token that is worth a dollar, with its chain in CAIP-19 form:
                         eip155:8453/erc20:0x…; may be repeated
  --solana-rpc URL       URL of a Solana node, for payments by a Solana wallet
  --valid-for SECONDS    validity of a signed payment on an EVM chain, 60 to 86400 (default 600)`;

export const BUDGET_HELP = `  --per-day USD          most that is topped up automatically from the wallet within 24 hours;
                         without it, nothing is topped up
  --per-call USD         no automatic top-up for a call that can cost more
  --top-up USD           amount of one top-up (default: the gateway's minimum)
${TOKEN_HELP}`;

export interface CustomerValues extends AccountPlaces {
  url?: string;
  'per-day'?: string;
  'per-call'?: string;
  'top-up'?: string;
  'allow-asset'?: string[];
  'solana-rpc'?: string;
  'valid-for'?: string;
  json?: boolean;
  help?: boolean;
}

/** Returns the gateway's URL. Also accepts a base URL that ends in /api/v1, the form for OpenAI clients. */
export function gatewayUrl(values: Pick<CustomerValues, 'url'>, { env }: Pick<CommandIo, 'env'>): string {
  return (values.url ?? env['TURNPIKE_URL'] ?? DEFAULT_URL).replace(/\/api\/v1\/*$/, '');
}

/**
 * Creates the customer from the options in the command line.
 * @param budget replaces the budget in the command line
 * @throws {UsageError | TurnpikeError}
 */
export async function readCustomer(
  values: CustomerValues,
  io: CommandIo,
  { onEvent, budget }: { onEvent?: EventListener; budget?: Budget | null } = {},
): Promise<Turnpike> {
  const chosen = budget === undefined ? readBudgetOptions(values) : budget;
  const options: TurnpikeOptions = { url: gatewayUrl(values, io), account: await readAccountSource(values, io) };
  if (chosen !== null) options.budget = chosen;
  if (onEvent) options.onEvent = onEvent;
  if (values['allow-asset']) options.allowedAssets = values['allow-asset'];
  if (values['solana-rpc'] !== undefined) options.solanaRpcUrl = values['solana-rpc'];
  const validSeconds = countOption('valid-for', values['valid-for'], VALID_SECONDS_RANGE);
  if (validSeconds !== undefined) options.paymentValidSeconds = validSeconds;
  return createTurnpike(options);
}

/**
 * Creates the customer for a command that uses enclaves. If no account is given and a simulated enclave is accepted,
 * uses the sandbox's demo key.
 *
 * @throws the same errors as `readCustomer`; {GatewayError | UnreachableError}
 */
export async function readPrivateCustomer(
  values: CustomerValues & PrivateValues,
  io: CommandIo,
  parts: Parameters<typeof readCustomer>[2] = {},
): Promise<Turnpike> {
  if (!allowsSimulated(values) || isAccountNamed(values, io)) return readCustomer(values, io, parts);
  const { url } = createTurnpike({ url: gatewayUrl(values, io), account: 'none' });
  const sandbox = await askSandbox({ baseUrl: url }, { signal: io.signal });
  const env = sandbox === null ? io.env : { ...io.env, TURNPIKE_API_KEY: sandbox.demoKey };
  return readCustomer(values, { ...io, env }, parts);
}

function readBudgetOptions(values: CustomerValues): Budget | null {
  const perDayUsd = usdOption('per-day', values['per-day']);
  const perCallUsd = usdOption('per-call', values['per-call']);
  const topUpUsd = usdOption('top-up', values['top-up']);
  if (perDayUsd === undefined) return null;
  return { perDayUsd, ...(perCallUsd !== undefined && { perCallUsd }), ...(topUpUsd !== undefined && { topUpUsd }) };
}
