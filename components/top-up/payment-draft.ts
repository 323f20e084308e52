import {
  draftEvmPayment,
  readPaymentOptions,
  signedEvmPayment,
  signSolanaPayment,
  type PaymentRequirements,
  type SignedPayment,
} from '@/lib/client';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { type ConnectedWallet, walletLayer } from '@/lib/browser/wallet/wallet-store';
import { type PayRail, formatUnits } from '@/lib/browser/wallet/pay-rails';
import { paymentDraftWords as words } from '@/lib/browser/wallet/payment-words';

/** Payment for the wallet to sign. */
export interface PaymentDraft {
  rail: PayRail;
  wallet: ConnectedWallet;
  /** Amount in whole tokens, read from the data to sign. */
  amount: string;
  /** Recipient's address, checked against the data to sign. */
  payTo: string;
  expiresAtMs: number;
  /** True if the chain counts time in blocks, so that the expiry is an estimate. */
  isEstimate: boolean;
  /** Facts shown after amount, token, recipient and network. */
  facts: readonly (readonly [name: string, value: string])[];
  raw: { title: string; text: string };
  /** Asks the wallet to sign. Rejects if the user refuses. */
  sign: () => Promise<SignedPayment>;
}

/** Thrown if the gateway's terms differ from those that the page showed. The wallet must not sign such terms. */
export class UnexpectedTerms extends Error {
  override readonly name = 'UnexpectedTerms';
}

/** Shorter than the lifetime of a Solana blockhash (150 blocks, about a minute), so that time remains to settle. */
const SOLANA_LASTS_MS = 55_000;

/**
 * Reads the gateway's terms and drafts a payment of exactly this amount.
 * @throws UnexpectedTerms if the terms differ from those shown; errors of the chain or the gateway
 */
export async function draftPayment(
  rail: PayRail,
  wallet: ConnectedWallet,
  { usd, units }: { usd: string; units: bigint },
): Promise<PaymentDraft> {
  const accepts = await readPaymentOptions(gatewayOptions(), usd);
  const accepted = accepts.find(({ network, asset }) => network === rail.network && asset === rail.asset);
  if (accepted === undefined) throw new UnexpectedTerms(words.notTaken(rail.title));
  if (accepted.payTo !== rail.payTo || BigInt(accepted.amount) !== units) throw new UnexpectedTerms(words.otherTerms);
  return rail.family === 'evm' ? draftEvm(rail, wallet, accepted) : draftSolana(rail, wallet, accepted);
}

function draftEvm(rail: PayRail, wallet: ConnectedWallet, accepted: PaymentRequirements): PaymentDraft {
  const draft = draftEvmPayment(accepted, wallet.address as `0x${string}`);
  const { domain, message, primaryType } = draft.typedData;
  return {
    rail,
    wallet,
    amount: formatUnits(message.value, rail.decimals),
    payTo: message.to,
    expiresAtMs: Number(message.validBefore) * 1000,
    isEstimate: false,
    facts: [
      [words.facts.domain, words.facts.domainText(domain.name, domain.version, domain.chainId)],
      [words.facts.contract, domain.verifyingContract],
      [words.facts.nonce, message.nonce],
    ],
    raw: {
      title: words.typedData(primaryType),
      text: JSON.stringify(
        draft.typedData,
        (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
        2,
      ),
    },
    sign: async () => {
      const { signTypedData } = await import('wagmi/actions');
      return signedEvmPayment(
        draft,
        await signTypedData((await walletLayer('evm')).evmConfig, { ...draft.typedData, account: message.from }),
      );
    },
  };
}

/**
 * Drafts a Solana payment. The official x402 library builds the transaction. The user sees the transaction before the
 * wallet receives it.
 */
async function draftSolana(
  rail: PayRail,
  wallet: ConnectedWallet,
  accepted: PaymentRequirements,
): Promise<PaymentDraft> {
  if (rail.rpcUrl === null) throw new UnexpectedTerms(words.unreadable(rail.title));
  const gate = gateOf<Uint8Array>();
  const built = gateOf<Uint8Array>();
  const signing = signSolanaPayment(
    accepted,
    { address: wallet.address, signTransaction: (wire) => (built.open(wire), gate.opened) },
    rail.rpcUrl,
  );
  signing.catch(built.fail);
  const wire = await built.opened;
  const { readSolanaTransfer, isAssociatedAccount } = await import('@/lib/browser/wallet/solana-transfer');
  const transfer = readSolanaTransfer(wire);
  const isAsked =
    transfer.mint === accepted.asset &&
    transfer.amount === BigInt(accepted.amount) &&
    transfer.authority === wallet.address &&
    transfer.feePayer !== wallet.address;
  if (!isAsked || !isAssociatedAccount(transfer.destination, { owner: accepted.payTo, mint: accepted.asset }))
    throw new UnexpectedTerms(words.otherTransaction);
  return {
    rail,
    wallet,
    amount: formatUnits(transfer.amount, rail.decimals),
    payTo: accepted.payTo,
    expiresAtMs: Date.now() + SOLANA_LASTS_MS,
    isEstimate: true,
    facts: [
      [words.facts.mint, transfer.mint],
      [words.facts.account, transfer.destination],
      [words.facts.feePayer, transfer.feePayer],
      [words.facts.blockhash, transfer.blockhash],
    ],
    raw: {
      title: words.transaction,
      text: [
        ...transfer.instructions.map((line, index) => `${index + 1}. ${line}`),
        '',
        `from ${transfer.source}`,
        `to   ${transfer.destination}`,
        '',
        `base64 ${btoa(String.fromCharCode(...wire))}`,
      ].join('\n'),
    },
    sign: async () => {
      gate.open(await (await walletLayer('solana')).signSolanaTransaction(wire));
      return signing;
    },
  };
}

function gateOf<T>(): { opened: Promise<T>; open: (value: T) => void; fail: (error: unknown) => void } {
  let open: (value: T) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const opened = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { opened, open, fail };
}
