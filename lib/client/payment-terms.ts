import { CHAIN_PREFIXES, WALLET_FAMILIES, type WalletFamily, walletKey } from '@/lib/protocol/wallet-address';
import type { Caip2, PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { checked, list, members, object, oneOf, type Schema } from './answer-schema';

/** Maximum accepted amount: the largest that Solana can transfer. */
const UNITS_MAX = 2n ** 64n - 1n;
/** Maximum validity that a gateway can be configured to request. */
const VALID_SECONDS_MAX = 86_400;
/** Maximum length of a displayed token name, in UTF-16 code units. */
const NAME_LENGTH_MAX = 64;

const units = checked(
  'an amount of base units in digits',
  (value): value is string => typeof value === 'string' && /^[1-9]\d{0,19}$/.test(value) && BigInt(value) <= UNITS_MAX,
);
const validSeconds = checked(
  'a whole number of seconds from 1 to 86400',
  (value): value is number => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= VALID_SECONDS_MAX,
);
const tokenText = checked(
  'a short text on one line',
  (value): value is string =>
    typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH_MAX && !/\p{C}/u.test(value),
);
const chain = (form: RegExp): Schema<Caip2> =>
  checked('the CAIP-2 name of a chain', (value): value is Caip2 => typeof value === 'string' && form.test(value));
const addressOf = (family: WalletFamily): Schema<string> =>
  checked(
    `an address of ${family === 'evm' ? 'an EVM chain' : 'Solana'}`,
    (value): value is string => typeof value === 'string' && walletKey(value)?.family === family,
  );

const terms = (
  family: WalletFamily,
  form: RegExp,
  extra: Schema<Readonly<Record<string, unknown>>>,
): Schema<PaymentRequirements> =>
  object({
    scheme: oneOf(['exact']),
    network: chain(form),
    asset: addressOf(family),
    amount: units,
    payTo: addressOf(family),
    maxTimeoutSeconds: validSeconds,
    extra,
  });

const TERMS: Readonly<Record<WalletFamily, Schema<PaymentRequirements>>> = {
  evm: terms('evm', /^eip155:[1-9]\d{0,14}$/, object({ name: tokenText, version: tokenText })),
  solana: terms('solana', /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/, object({ feePayer: addressOf('solana') })),
};

/** Schema of payment terms. Keeps the gateway's order, and drops terms that no supported wallet can sign. */
export const acceptedTerms: Schema<readonly PaymentRequirements[]> = (value, at) =>
  list(members)(value, at).flatMap((entry, index) => {
    const { scheme, network } = entry;
    const family = WALLET_FAMILIES.find(
      (each) => typeof network === 'string' && network.startsWith(CHAIN_PREFIXES[each]),
    );
    return scheme === 'exact' && family !== undefined ? [TERMS[family](entry, `${at}[${index}]`)] : [];
  });
