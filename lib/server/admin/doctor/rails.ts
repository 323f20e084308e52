import { privateKeyToAddress } from 'viem/accounts';
import type { Config, UpstreamConfig } from '../../config/load';
import type { EvmRailConfig, RailConfig, SolanaRailConfig, WithdrawalsConfig } from '../../config/payments';
import type { Secret } from '../../config/secret';
import { RemoteFacilitator } from '../../payments/facilitators/remote-facilitator';
import { SolanaKey } from '../../payments/solana/solana-key';
import { associatedTokenAccount, TOKEN_PROGRAMS } from '../../payments/solana/token-programs';
import type { Caip2 } from '@/lib/protocol/x402/payment-required';
import { askNode, NoAnswer, whyUnusable } from './ask';
import { fault, type Finding, ok, warning } from './finding';
import { requestFor } from './nodes';

const DECIMALS = '0x313ce567';
const LAMPORTS_LOW = 10_000_000;

/** Checks that a rail can receive payments: its token, receiver and facilitator. Never throws. */
export async function lookAtRail(
  rail: RailConfig,
  subject: string,
  { networks, payments }: Pick<Config, 'networks' | 'payments'>,
  timeoutMs: number,
): Promise<Finding[]> {
  const [upstream] = networks[rail.rpcNetwork]?.upstreams ?? [];
  const [chain, facilitator] = await Promise.all([
    upstream ? lookAtChain(rail, subject, { upstream, withdrawals: payments.withdrawals }, timeoutMs) : [],
    lookAtFacilitator(rail, subject, timeoutMs),
  ]);
  return [...chain, ...facilitator];
}

async function lookAtChain(
  rail: RailConfig,
  subject: string,
  { upstream, withdrawals }: { upstream: UpstreamConfig; withdrawals: WithdrawalsConfig | null },
  timeoutMs: number,
): Promise<Finding[]> {
  const read: Read = async (method, params) => (await askNode(method, params, requestFor(upstream, timeoutMs))).result;
  try {
    switch (rail.family) {
      case 'evm':
        return await lookAtEvm(rail, subject, withdrawals, read);
      case 'solana':
        return await lookAtSolana(rail, subject, withdrawals, read);
    }
  } catch (error) {
    return [
      fault(
        `${subject}.receiver`,
        `The rail could not be checked over ${rail.rpcNetwork}: ${whyUnusable(error)}.`,
        'Repair the upstream of that network first.',
      ),
    ];
  }
}

type Read = (method: string, params: readonly unknown[]) => Promise<unknown>;

async function lookAtEvm(
  { token, receiver, facilitator }: EvmRailConfig,
  subject: string,
  withdrawals: WithdrawalsConfig | null,
  read: Read,
): Promise<Finding[]> {
  const [tokenCode, receiverCode] = await Promise.all([
    read('eth_getCode', [token.address, 'latest']),
    read('eth_getCode', [receiver, 'latest']),
  ]);
  const findings: Finding[] = [];
  if (!isCode(tokenCode))
    findings.push(
      fault(
        `${subject}.token.address`,
        `There is no contract at ${token.address} on this chain.`,
        'Configure the address of the token on this chain.',
      ),
    );
  else {
    const decimals = Number(await read('eth_call', [{ to: token.address, data: DECIMALS }, 'latest']).catch(() => NaN));
    findings.push(
      decimals === token.decimals
        ? ok(`${subject}.token.address`, `The token exists and has ${decimals} decimals.`)
        : fault(
            `${subject}.token.decimals`,
            `The token reports ${Number.isFinite(decimals) ? `${decimals} decimals` : 'no decimals'}, but the configuration has ${token.decimals}: the gateway would credit wrong amounts.`,
            'Configure the decimals of the token, or its right address.',
          ),
    );
  }
  findings.push(
    isCode(receiverCode)
      ? warning(
          `${subject}.receiver`,
          `${receiver} is a contract.`,
          'Check that the contract can send tokens, as a multisig can. Otherwise set a wallet as receiver.',
        )
      : ok(`${subject}.receiver`, `${receiver} is a wallet and can receive payments.`),
  );
  if (facilitator.kind === 'in-process')
    findings.push(
      await lookAtGas(
        facilitator.privateKey,
        `${subject}.facilitator`,
        ['settles payments', 'no payment is settled'],
        read,
      ),
    );
  if (withdrawals?.privateKey)
    findings.push(
      await lookAtGas(
        withdrawals.privateKey,
        `${subject} (withdrawals)`,
        ['pays out withdrawals', 'no withdrawal is sent on this chain'],
        read,
      ),
    );
  return findings;
}

async function lookAtGas(
  key: Secret,
  subject: string,
  [does, otherwise]: readonly [does: string, otherwise: string],
  read: Read,
): Promise<Finding> {
  const payer = privateKeyToAddress(key.reveal() as `0x${string}`);
  const balance = await read('eth_getBalance', [payer, 'latest']);
  if (typeof balance !== 'string' || !/^0x[\da-f]+$/i.test(balance))
    throw new NoAnswer('it answered eth_getBalance without a balance');
  return BigInt(balance) > 0n
    ? ok(subject, `${payer} has native coin for gas.`)
    : fault(
        subject,
        `${payer}, which ${does}, has no native coin for gas.`,
        `Send some of the chain's native coin to it. Until then, ${otherwise}.`,
      );
}

function isCode(code: unknown): boolean {
  return typeof code === 'string' && code.length > 2;
}

interface Account {
  owner?: unknown;
  data?: { parsed?: { info?: { decimals?: unknown } } };
}

async function lookAtSolana(
  { token, receiver, facilitator }: SolanaRailConfig,
  subject: string,
  withdrawals: WithdrawalsConfig | null,
  read: Read,
): Promise<Finding[]> {
  const accountAt = async (address: string): Promise<Account | null> =>
    (
      (await read('getAccountInfo', [address, { encoding: 'jsonParsed', commitment: 'finalized' }])) as {
        value?: Account | null;
      } | null
    )?.value ?? null;
  const [mint, owner] = await Promise.all([accountAt(token.address), accountAt(receiver)]);
  const program = String(mint?.owner ?? '');
  if (!TOKEN_PROGRAMS.includes(program))
    return [
      fault(
        `${subject}.token.address`,
        'There is no mint at this address on this cluster.',
        'Configure the mint of the token on this cluster.',
      ),
    ];
  const findings: Finding[] = [];
  const decimals = mint?.data?.parsed?.info?.decimals;
  if (typeof decimals === 'number' && decimals !== token.decimals)
    findings.push(
      fault(
        `${subject}.token.decimals`,
        `The mint has ${decimals} decimals, but the configuration has ${token.decimals}: the gateway would credit wrong amounts.`,
        'Configure the decimals of the mint.',
      ),
    );
  else findings.push(ok(`${subject}.token.address`, 'The mint exists.'));
  if (TOKEN_PROGRAMS.includes(String(owner?.owner)))
    findings.push(
      fault(
        `${subject}.receiver`,
        'The receiver is a token account or a mint. It must be the wallet that owns the token account.',
        'Configure the address of the wallet.',
      ),
    );
  else {
    const account = associatedTokenAccount(receiver, token.address, program);
    findings.push(
      (await accountAt(account))
        ? ok(`${subject}.receiver`, `The token account of the receiver, ${account}, exists.`)
        : fault(
            `${subject}.receiver`,
            `The token account of the receiver, ${account}, does not exist, so every payment would fail.`,
            `Create the account once: \`spl-token create-account ${token.address} --owner ${receiver}\`. Or send a little of the token to the wallet.`,
          ),
    );
  }
  if (facilitator.kind === 'in-process')
    findings.push(
      await lookAtLamports(
        facilitator.privateKey,
        `${subject}.facilitator`,
        ['pays the fees', 'no payment is settled'],
        read,
      ),
    );
  if (withdrawals?.solanaPrivateKey)
    findings.push(
      await lookAtLamports(
        withdrawals.solanaPrivateKey,
        `${subject} (withdrawals)`,
        ['pays out withdrawals', 'no withdrawal is sent on this chain'],
        read,
      ),
    );
  return findings;
}

async function lookAtLamports(
  key: Secret,
  subject: string,
  [does, otherwise]: readonly [does: string, otherwise: string],
  read: Read,
): Promise<Finding> {
  const payer = new SolanaKey(key.reveal()).address;
  const lamports = Number(((await read('getBalance', [payer])) as { value?: unknown } | null)?.value ?? 0);
  return lamports >= LAMPORTS_LOW
    ? ok(subject, `${payer} has SOL for fees.`)
    : fault(
        subject,
        `${payer}, which ${does}, has ${lamports} lamports.`,
        `Send some SOL to it. Until then, ${otherwise}.`,
      );
}

async function lookAtFacilitator(
  { facilitator, network }: RailConfig,
  subject: string,
  timeoutMs: number,
): Promise<Finding[]> {
  if (facilitator.kind !== 'remote') return [];
  try {
    await new RemoteFacilitator({ ...facilitator, timeoutMs: Math.min(timeoutMs, facilitator.timeoutMs) }).supportOf(
      network as Caip2,
    );
    return [ok(`${subject}.facilitator`, `The facilitator answers and supports ${network}.`)];
  } catch (error) {
    return [
      fault(
        `${subject}.facilitator`,
        error instanceof Error ? error.message : 'The facilitator did not answer.',
        'Check that the URL and key are right and that the facilitator supports this network. Until then, no payment is settled.',
      ),
    ];
  }
}
