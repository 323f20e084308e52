import { privateKeyToAddress } from 'viem/accounts';
import type { Config, UpstreamConfig } from '../../config/load';
import type { EvmRailConfig, RailConfig, SolanaRailConfig } from '../../config/payments';
import { RemoteFacilitator } from '../../payments/facilitators/remote-facilitator';
import { SolanaKey } from '../../payments/solana/solana-key';
import { associatedTokenAccount, TOKEN_PROGRAMS } from '../../payments/solana/token-programs';
import type { Caip2 } from '@/lib/protocol/x402/requirements';
import { askNode, NoAnswer } from './ask';
import { fault, type Finding, ok, warning } from './finding';
import { questionFor } from './nodes';

/** `decimals()` of ERC-20. */
const DECIMALS = '0x313ce567';
const LAMPORTS_LOW = 10_000_000;

/** Looks whether the money of a rail can come in: token, receiver, and who settles. Never throws. */
export async function lookAtRail(
  rail: RailConfig,
  subject: string,
  { networks }: Pick<Config, 'networks'>,
  timeoutMs: number,
): Promise<Finding[]> {
  const [upstream] = networks[rail.rpcNetwork]?.upstreams ?? [];
  const [chain, facilitator] = await Promise.all([
    upstream ? lookAtChain(rail, subject, upstream, timeoutMs) : [],
    lookAtFacilitator(rail, subject, timeoutMs),
  ]);
  return [...chain, ...facilitator];
}

async function lookAtChain(
  rail: RailConfig,
  subject: string,
  upstream: UpstreamConfig,
  timeoutMs: number,
): Promise<Finding[]> {
  const read: Read = async (method, params) => (await askNode(method, params, questionFor(upstream, timeoutMs))).result;
  try {
    switch (rail.family) {
      case 'evm':
        return await lookAtEvm(rail, subject, read);
      case 'solana':
        return await lookAtSolana(rail, subject, read);
    }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return [
      fault(
        `${subject}.receiver`,
        `Whether it can receive could not be read over ${rail.rpcNetwork}: ${error.message}.`,
        'Mend the upstream of that network first.',
      ),
    ];
  }
}

type Read = (method: string, params: readonly unknown[]) => Promise<unknown>;

async function lookAtEvm(
  { token, receiver, facilitator }: EvmRailConfig,
  subject: string,
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
        'Configure the address that the token has on this chain.',
      ),
    );
  else {
    const decimals = Number(await read('eth_call', [{ to: token.address, data: DECIMALS }, 'latest']).catch(() => NaN));
    findings.push(
      decimals === token.decimals
        ? ok(`${subject}.token.address`, `The token is there, and has ${decimals} decimals.`)
        : fault(
            `${subject}.token.decimals`,
            `The token says ${Number.isFinite(decimals) ? `${decimals} decimals` : 'nothing of its decimals'}, and the configuration ${token.decimals}: payments would be credited with a wrong amount.`,
            'Configure the decimals of the token, or its right address.',
          ),
    );
  }
  findings.push(
    isCode(receiverCode)
      ? warning(
          `${subject}.receiver`,
          `${receiver} is a contract.`,
          'See that it can pass tokens on, as a multisig can; else name a wallet.',
        )
      : ok(`${subject}.receiver`, `${receiver} is no contract, and can receive.`),
  );
  if (facilitator.kind === 'in-process') {
    const payer = privateKeyToAddress(facilitator.privateKey.reveal() as `0x${string}`);
    const balance = BigInt(String(await read('eth_getBalance', [payer, 'latest'])));
    findings.push(
      balance > 0n
        ? ok(`${subject}.facilitator`, `${payer} has coin for gas.`)
        : fault(
            `${subject}.facilitator`,
            `${payer}, which settles, has no coin for gas.`,
            "Send it some of the chain's coin; until then no payment is settled.",
          ),
    );
  }
  return findings;
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
        'Configure the mint that the token has on this cluster.',
      ),
    ];
  const findings: Finding[] = [];
  const decimals = mint?.data?.parsed?.info?.decimals;
  if (typeof decimals === 'number' && decimals !== token.decimals)
    findings.push(
      fault(
        `${subject}.token.decimals`,
        `The mint has ${decimals} decimals, and the configuration ${token.decimals}: payments would be credited with a wrong amount.`,
        'Configure the decimals of the mint.',
      ),
    );
  else findings.push(ok(`${subject}.token.address`, 'The mint is there.'));
  if (TOKEN_PROGRAMS.includes(String(owner?.owner)))
    findings.push(
      fault(
        `${subject}.receiver`,
        'It is a token account or a mint, and must be the wallet that owns the token account.',
        'Configure the address of the wallet.',
      ),
    );
  else {
    const account = associatedTokenAccount(receiver, token.address, program);
    findings.push(
      (await accountAt(account))
        ? ok(`${subject}.receiver`, `Its token account ${account} exists.`)
        : fault(
            `${subject}.receiver`,
            `Its token account ${account} does not exist, so every payment would fail.`,
            `Create it once: \`spl-token create-account ${token.address} --owner ${receiver}\`, or send the wallet a little of the token.`,
          ),
    );
  }
  if (facilitator.kind === 'in-process') {
    const payer = new SolanaKey(facilitator.privateKey.reveal()).address;
    const lamports = Number(((await read('getBalance', [payer])) as { value?: unknown } | null)?.value ?? 0);
    findings.push(
      lamports >= LAMPORTS_LOW
        ? ok(`${subject}.facilitator`, `${payer} has SOL for fees.`)
        : fault(
            `${subject}.facilitator`,
            `${payer}, which pays the fees, has ${lamports} lamports.`,
            'Send it some SOL; until then no payment is settled.',
          ),
    );
  }
  return findings;
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
    return [ok(`${subject}.facilitator`, `It is reachable, and supports ${network}.`)];
  } catch (error) {
    return [
      fault(
        `${subject}.facilitator`,
        error instanceof Error ? error.message : 'The facilitator did not answer.',
        'See that its URL and key are right and that it settles on this network; until then no payment is settled.',
      ),
    ];
  }
}
