import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import type { PaymentPayload, SettleResponse, VerifyResponse } from '@x402/core/types';
import type { FacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Abi,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  type Log,
  parseAbi,
  parseErc6492Signature,
  parseSignature,
  type PublicClient,
  size,
} from 'viem';
import type { EvmRailConfig } from '../../config/payments';
import { unreachable } from '../rail';
import { verdictSentence } from '../verdict-sentence';
import type { Authorization } from './authorization';
import { type EvmSender, GasTooHigh, isRefusal } from './evm-sender';

/** Contract code that `withKnownSigner` reports for a payer without code. */
const KEY_AS_CODE: Hex = '0xfe';
/** Value that isValidSignature returns for a valid signature (EIP-1271). */
const SIGNED: Hex = '0x1626ba7e';

/**
 * Returns a signer for verifying a payment known to be signed by the payer's key. With any other signer, the scheme
 * would recover the key in JavaScript, which blocks the event loop for 1.7 ms. This signer presents a payer without
 * code as a contract that confirms the signature. Real contracts, including delegated wallets (EIP-7702), check the
 * signature themselves.
 */
export function withKnownSigner(signer: FacilitatorEvmSigner, payer: `0x${string}`): FacilitatorEvmSigner {
  let asked: ReturnType<FacilitatorEvmSigner['getCode']> | null = null;
  const code = async (): Promise<Hex> => {
    const found = await (asked ??= signer.getCode({ address: payer }));
    return found === undefined || found === '0x' ? KEY_AS_CODE : found;
  };
  return {
    ...signer,
    getCode: ({ address }) => (isAddressEqual(address, payer) ? code() : signer.getCode({ address })),
    readContract: async (call) => {
      const isOfPayer = call.functionName === 'isValidSignature' && isAddressEqual(call.address, payer);
      return isOfPayer && (await code()) === KEY_AS_CODE ? SIGNED : signer.readContract(call);
    },
  };
}

const RECEIPT_WAIT_MS = 12_000;
const RECEIPT_POLL_MS = 100;

type OnTransaction = (hash: Hex) => Promise<void>;

/**
 * Verifies payments with the official "exact" scheme, through the gateway's own upstreams. If this process has a
 * signing key, it also settles payments. Each call has its own scheme object, because a scheme object refuses to send
 * the same payment twice.
 */
export class EvmFacilitator {
  constructor(
    private readonly client: PublicClient,
    private readonly sender: EvmSender | null,
    private readonly config: Pick<EvmRailConfig, 'walletFactories' | 'gasMax' | 'deployGasMax'>,
  ) {}

  /**
   * @param signer the payer's address, if the payer's key is known to have signed; null if only a contract can accept
   * the signature
   * @throws ChainUnreachable if a node does not answer and the verdict needs that answer
   */
  async verify(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    signer: `0x${string}` | null,
  ): Promise<VerifyResponse> {
    const trouble: { error?: unknown } = {};
    const chain = this.#signer(trouble, null);
    const verdict = await this.#scheme(signer ? withKnownSigner(chain, signer) : chain).verify(payload, requirements);
    if (!verdict.isValid && trouble.error !== undefined) throw unreachable('The chain', trouble.error);
    return verdict;
  }

  /**
   * Checks that a payment needs no more gas than this process pays for. If the payer's wallet is not deployed, checks
   * its deployment instead.
   * @throws InvalidPayment, or ChainUnreachable
   */
  async requireAffordable({ signature, authorization }: Authorization, token: `0x${string}`): Promise<void> {
    if (!this.sender) return;
    const wallet = parseErc6492Signature(signature);
    try {
      if (wallet.address && wallet.data && !(await this.client.getCode({ address: authorization.from }))) {
        await this.sender.estimate({ to: wallet.address, data: wallet.data }, this.config.deployGasMax);
      } else
        await this.sender.estimate(
          { to: token, data: transferCall(authorization, wallet.signature) },
          this.config.gasMax,
        );
    } catch (error) {
      if (error instanceof GasTooHigh)
        throw new InvalidPayment(
          'gas_too_high',
          `Executing this payment needs ${error.gas} gas, but this gateway pays for at most ${error.gasMax}. Pay from another wallet.`,
        );
      if (isRefusal(error)) throw new InvalidPayment('simulation_failed', verdictSentence('simulation_failed'));
      throw unreachable('The chain', error);
    }
  }

  /** @param onTransaction called and awaited before each transaction is sent */
  settle(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    onTransaction: OnTransaction,
  ): Promise<SettleResponse> {
    return this.#scheme(this.#signer({}, onTransaction)).settle(payload, requirements);
  }

  #scheme(signer: FacilitatorEvmSigner): ExactEvmScheme {
    return new ExactEvmScheme(signer, { eip6492AllowedFactories: [...this.config.walletFactories] });
  }

  /** Records calls that no node answered, because the scheme treats a failed call as an invalid payment. */
  #signer(trouble: { error?: unknown }, onTransaction: OnTransaction | null): FacilitatorEvmSigner {
    const { client, sender } = this;
    const noting = async <Result>(asked: Promise<Result>): Promise<Result> => {
      try {
        return await asked;
      } catch (error) {
        if (!isRefusal(error)) trouble.error = error;
        throw error;
      }
    };
    const send = (to: `0x${string}`, data: Hex, gasMax: number): Promise<Hex> => {
      if (!sender || !onTransaction) throw new Error('This process does not settle on this chain.');
      return sender.send({ to, data }, gasMax, onTransaction);
    };
    return {
      getAddresses: () => (sender ? [sender.address] : []),
      readContract: ({ abi, ...call }) =>
        noting(client.readContract({ ...call, abi: abi as Abi, ...(sender ? { account: sender.address } : {}) })),
      verifyTypedData: () => Promise.reject(new Error('The scheme checks signatures itself.')),
      getCode: ({ address }) => noting(client.getCode({ address })),
      writeContract: ({ address, abi, functionName, args }) =>
        send(address, encodeFunctionData({ abi: abi as Abi, functionName, args }), this.config.gasMax),
      sendTransaction: ({ to, data }) => send(to, data, this.config.deployGasMax),
      waitForTransactionReceipt: ({ hash }) => receiptOf(client, hash),
    };
  }
}

const TRANSFER_ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

/**
 * Encodes the call to the token in the same way as the scheme: a key's signature as v, r and s, any other signature
 * unchanged.
 */
export function transferCall(
  { from, to, value, validAfter, validBefore, nonce }: Authorization['authorization'],
  signature: Hex,
): Hex {
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const;
  if (size(signature) !== 65)
    return encodeFunctionData({
      abi: TRANSFER_ABI,
      functionName: 'transferWithAuthorization',
      args: [...args, signature],
    });
  const { r, s, v = 27n } = parseSignature(signature);
  return encodeFunctionData({
    abi: TRANSFER_ABI,
    functionName: 'transferWithAuthorization',
    args: [...args, Number(v), r, s],
  });
}

async function receiptOf(client: PublicClient, hash: Hex): Promise<{ status: string; logs: readonly Log[] }> {
  const deadline = performance.now() + RECEIPT_WAIT_MS;
  for (;;) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => null);
    if (receipt) return receipt;
    if (performance.now() > deadline) throw new Error(`The transaction ${hash} is not in a block yet.`);
    await sleep(RECEIPT_POLL_MS);
  }
}
