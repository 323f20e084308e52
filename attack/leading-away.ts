import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Attack, judge, type Verdict } from './attack';
import { deploy, fundedEvmAccount } from './chains/evm-account';
import { lookupCode } from './chains/hostile-contracts';
import {
  acceptedOn,
  decodePayment,
  encodePayment,
  evmPayment,
  present,
  reasonOf,
  solanaPayment,
  wakeChain,
} from './chains/payments';
import { forgedSignIn } from './sign-in';
import { openTrap, type Trap } from './stage/trap';
import { chainsOf, ownOf, type Target } from './target';
import { ask, askJson } from './wire/ask';
import { counted } from './wire/burst';

/** The attacks in this file try to lead the gateway to a URL of the attacker's choice (server-side request forgery). */

const SIGNATURE = `0x${'ab'.repeat(96)}`;
/** Time to wait for requests to the trap. A gateway that followed an attack's URL would send several in this time. */
const PATIENCE_MS = 2_000;

/** Deploys a contract whose lookup leads to a trap. The verdict depends on the number of requests to the trap. */
async function trapped(
  target: Target,
  attack: (wallet: `0x${string}`, trap: Trap) => Promise<string>,
): Promise<Verdict> {
  const trap = await openTrap();
  try {
    const account = await fundedEvmAccount(chainsOf(target));
    const wallet = await deploy(chainsOf(target), account, lookupCode(`${trap.url}/{sender}/{data}`));
    const answer = await attack(wallet, trap);
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    return judge(trap.requests() === 0, `the attacker's server was asked ${trap.requests()} times; ${answer}`);
  } finally {
    await trap.close();
  }
}

export const LEADING_AWAY_ATTACKS: readonly Attack[] = [
  {
    id: 'lookup-by-top-up',
    title: 'A top-up in the name of a contract that answers with an address to look at (EIP-3668)',
    needs: ['chains'],
    isQuick: true,
    run: (target) =>
      trapped(target, async (wallet) => {
        await wakeChain(target);
        const accepted = await acceptedOn(target);
        await chainsOf(target).fund(wallet);
        const { header } = await evmPayment(accepted, privateKeyToAccount(generatePrivateKey()));
        const payment = decodePayment(header);
        const hostile = encodePayment({
          ...payment,
          payload: { signature: SIGNATURE, authorization: { ...payment.payload.authorization, from: wallet } },
        });
        return reasonOf(await present(target, hostile));
      }),
  },
  {
    id: 'lookup-by-sign-in',
    title: 'A sign-in of a contract that answers with an address to look at (EIP-3668)',
    needs: ['chains'],
    isQuick: false,
    run: (target) =>
      trapped(target, async (wallet) => {
        const answers = [SIGNATURE, `0x${'cd'.repeat(65)}`].map((signature) =>
          ask(target, { path: '/api/v1/billing/balance', headers: forgedSignIn(target, wallet, signature) }),
        );
        return counted((await Promise.all(answers)).map(({ status }) => status));
      }),
  },
  {
    id: 'lookup-by-minting',
    title: 'A key asked for by a contract that answers with an address to look at (EIP-3668)',
    needs: ['chains'],
    isQuick: false,
    run: (target) =>
      trapped(target, async (wallet) => {
        const path = '/api/v1/api_keys/generate_web3_key';
        const { json } = await ask(target, { path });
        const { token } = json.data as { token: string };
        const { status } = await askJson(target, path, {
          address: wallet,
          signature: SIGNATURE,
          token,
          apiKeyType: 'INFERENCE',
        });
        return String(status);
      }),
  },
  {
    id: 'facilitator-redirects',
    title: 'A facilitator that redirects settlements to another server',
    needs: ['chains', 'remote facilitator'],
    isQuick: false,
    run: async (target) => {
      const trap = await openTrap();
      const { facilitator } = ownOf(target);
      const statuses = [301, 302, 307, 308];
      try {
        await wakeChain(target);
        const accepted = await acceptedOn(target);
        let turn = 0;
        const redirect = () =>
          Promise.resolve({
            status: statuses[turn++ % statuses.length] ?? 307,
            headers: { location: `${trap.url}/settle` },
            body: {},
          });
        const account = await fundedEvmAccount(chainsOf(target));
        const { header } = await evmPayment(accepted, account);
        const answer = await facilitator?.behaving(redirect, () => present(target, header));
        return judge(
          trap.requests() === 0,
          `the other server was asked ${trap.requests()} times after ${turn} redirects; ${answer ? reasonOf(answer) : 'no answer'}`,
        );
      } finally {
        await trap.close();
      }
    },
  },
  {
    id: 'payment-names-a-url',
    title: 'Payments whose every word is an address to look at',
    needs: ['chains'],
    isQuick: true,
    run: async (target) => {
      const trap = await openTrap();
      try {
        const accepted = await acceptedOn(target);
        const words = {
          ...accepted,
          resource: trap.url,
          outputSchema: { $ref: trap.url },
          extra: { ...accepted.extra, feePayer: trap.url, rpcUrl: trap.url, facilitator: trap.url },
        };
        const payloads = [
          solanaPayment(words, trap.url),
          encodePayment({
            x402Version: 2,
            resource: { url: trap.url },
            accepted: words,
            extensions: { bazaar: { url: trap.url } },
            payload: { signature: trap.url, authorization: { from: trap.url } },
          }),
        ];
        const answers = await Promise.all(payloads.map((payload) => present(target, payload)));
        return judge(
          trap.requests() === 0 && answers.every(({ status }) => status === 400),
          `it was asked ${trap.requests()} times; ${counted(answers.map(reasonOf))}`,
        );
      } finally {
        await trap.close();
      }
    },
  },
];
