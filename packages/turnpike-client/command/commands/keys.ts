import { listKeys, revokeKey } from '@/lib/client/api-keys';
import { mintByWallet } from '@/lib/client/mint-by-wallet';
import type { MintWish } from '@/lib/protocol/api-keys/terms-digest';
import { readAccount } from '../../src/account/account';
import type { Wallet } from '../../src/account/wallet';
import { withTypedErrors } from '../../src/turnpike-error';
import { readAccountSource } from '../account-source';
import { type Command, type CommandIo, EXIT } from '../command';
import { CUSTOMER_HELP, CUSTOMER_OPTIONS, type CustomerValues, gatewayUrl, readCustomer } from '../customer';
import { readOptions, usdOption } from '../options';
import { argumentsNamed, noArguments } from '@/lib/command-line/options';
import { jsonText } from '../printable';
import { UsageError } from '@/lib/command-line/usage-error';

const HELP = `turnpike-client keys [list | mint NAME | revoke ID] [options]

Lists the API keys of the wallet's account, newest first. mint creates a key, for an EVM wallet
with staked tokens, and prints it only once: store it. revoke ends a key permanently.

  --all                  include revoked keys
  --admin                mint a key that can also list and revoke keys
  --expires WHEN         expiry of the minted key: a date (at its end, UTC), or a time in UTC such
                         as 2027-01-31T12:00:00Z; never by default
  --limit USD            most that the minted key may spend of credits and USD
  --limit-daily USD      most that the minted key may spend of the daily allocation
  --period PERIOD        period of these limits: day (UTC), month, or lifetime (default)
${CUSTOMER_HELP}
`;

const OPTIONS = {
  ...CUSTOMER_OPTIONS,
  all: { type: 'boolean' },
  admin: { type: 'boolean' },
  expires: { type: 'string' },
  limit: { type: 'string' },
  'limit-daily': { type: 'string' },
  period: { type: 'string' },
} as const;
const PERIODS = { day: 'EPOCH', month: 'MONTH', lifetime: 'LIFETIME' } as const;

interface KeysValues extends CustomerValues {
  all?: boolean;
  admin?: boolean;
  expires?: string;
  limit?: string;
  'limit-daily'?: string;
  period?: string;
}

export const keys: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, OPTIONS);
    const [action = 'list', ...rest] = positionals;
    if (action === 'revoke') return revoke(argumentsNamed(rest, 'ID').ID, values, io);
    if (action === 'mint') return mint(argumentsNamed(rest, 'NAME').NAME, values, io);
    if (action !== 'list')
      throw new UsageError(`${JSON.stringify(action)} is not an action for keys. Use list, mint NAME, or revoke ID.`);
    noArguments(rest);
    return list(values, io);
  },
};

async function list(values: KeysValues, io: CommandIo): Promise<number> {
  const { connection } = await readCustomer(values, io, { budget: null });
  const page = await withTypedErrors(() =>
    listKeys(connection, { signal: io.signal, includeRevoked: values.all === true }),
  );
  if (values.json) io.out(`${jsonText(page, 2)}\n`);
  else
    io.out(
      page.data
        .map(
          ({ id, last6Chars, apiKeyType, description }) =>
            `${id}  …${last6Chars}  ${apiKeyType.padEnd(9)}  ${description}\n`,
        )
        .join('') || 'There are no keys.\n',
    );
  return EXIT.done;
}

async function revoke(id: string, values: KeysValues, io: CommandIo): Promise<number> {
  const { connection } = await readCustomer(values, io, { budget: null });
  await withTypedErrors(() => revokeKey(connection, id, { signal: io.signal }));
  io.out(
    values.json ? `${jsonText({ revoked: id })}\n` : `The key ${id} was revoked. Its next request will be refused.\n`,
  );
  return EXIT.done;
}

async function mint(description: string, values: KeysValues, io: CommandIo): Promise<number> {
  const wish = wishOf(description, values);
  const wallet = await mintingWallet(values, io);
  const connection = { baseUrl: gatewayUrl(values, io) };
  const minted = await withTypedErrors(() => mintByWallet(connection, wallet, wish, { signal: io.signal }));
  if (values.json) {
    io.out(`${jsonText(minted, 2)}\n`);
  } else {
    io.out(`${minted.apiKey}\n`);
    io.err(
      `The key ${minted.id} (${description}) was minted. It is shown only now: store it, for example in TURNPIKE_API_KEY.\n`,
    );
  }
  return EXIT.done;
}

async function mintingWallet(values: KeysValues, io: CommandIo): Promise<Wallet> {
  const caller = readAccount(await readAccountSource(values, io));
  if (caller.kind === 'apiKey')
    throw new UsageError(
      'An API key cannot mint keys; a wallet can. Set TURNPIKE_PRIVATE_KEY, or give --keystore or --keychain.',
    );
  if (caller.wallet.family !== 'evm')
    throw new UsageError('Only an EVM wallet with a stake can mint keys. Give an EVM wallet.');
  return caller.wallet;
}

function wishOf(description: string, values: KeysValues): MintWish {
  const usd = usdOption('limit', values.limit);
  const diem = usdOption('limit-daily', values['limit-daily']);
  return {
    apiKeyType: values.admin === true ? 'ADMIN' : 'INFERENCE',
    description,
    limitPeriod: periodOf(values.period),
    ...(values.expires !== undefined && { expiresAt: values.expires }),
    ...((usd !== undefined || diem !== undefined) && {
      consumptionLimit: { ...(usd !== undefined && { usd }), ...(diem !== undefined && { diem }) },
    }),
  };
}

function periodOf(named = 'lifetime'): (typeof PERIODS)[keyof typeof PERIODS] {
  if (!Object.hasOwn(PERIODS, named))
    throw new UsageError(`--period is ${JSON.stringify(named)}; it must be day, month or lifetime.`);
  return PERIODS[named as keyof typeof PERIODS];
}
