import {
  type Abi,
  type Hex,
  parseEventLogs,
  parseSignature,
  recoverTypedDataAddress,
  serializeSignature,
  toHex,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AUTHORIZABLE_USD_ABI, SMART_WALLET_FACTORY_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { ContractChain, newAccount } from './testing/contract-chain';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const { usdc, smartWalletFactory } = SANDBOX_CONTRACTS;
const DOMAIN = { name: 'USD Coin', version: '2', chainId: 31_337, verifyingContract: usdc } as const;
const FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;
/** Half of the order of secp256k1's group, doubled. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const usd = (functionName: string, ...args: unknown[]) => ({
  address: usdc,
  abi: AUTHORIZABLE_USD_ABI as Abi,
  functionName,
  args,
});

let chain: ContractChain;
let payer: PrivateKeyAccount;
let submitter: PrivateKeyAccount;
let payee: `0x${string}`;
beforeAll(async () => {
  chain = await ContractChain.start();
  submitter = await chain.richAccount();
});
afterAll(() => chain.stop());
beforeEach(async () => {
  payer = await chain.richAccount();
  payee = newAccount().address;
});

const balanceOf = (address: string) => chain.read(usd('balanceOf', address));

interface Authorization {
  from: Hex;
  to: Hex;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
}

async function authorization(changes: Partial<Authorization> = {}): Promise<Authorization> {
  return {
    from: payer.address,
    to: payee,
    value: 5_000_000n,
    validAfter: 0n,
    validBefore: (await chain.now()) + 3_600n,
    nonce: generatePrivateKey(),
    ...changes,
  };
}

type Kind = 'TransferWithAuthorization' | 'ReceiveWithAuthorization';
const sign = (
  message: Authorization,
  by: PrivateKeyAccount = payer,
  kind: Kind = 'TransferWithAuthorization',
  domain: object = DOMAIN,
): Promise<Hex> => by.signTypedData({ domain, types: { [kind]: FIELDS }, primaryType: kind, message } as never);
const argsOf = ({ from, to, value, validAfter, validBefore, nonce }: Authorization) =>
  [from, to, value, validAfter, validBefore, nonce] as const;
const split = (signature: Hex) => {
  const { r, s, v, yParity } = parseSignature(signature);
  return [Number(v ?? BigInt(27 + yParity)), r, s] as const;
};

describe('transferWithAuthorization', () => {
  it.each(['as v, r, s', 'as bytes'])(
    'moves exactly what was signed, with the signature %s, on the submission of anybody',
    async (form) => {
      const signed = await authorization();
      const signature = await sign(signed);
      const { logs } = await chain.send(
        submitter,
        usd('transferWithAuthorization', ...argsOf(signed), ...(form === 'as bytes' ? [signature] : split(signature))),
      );
      expect([await balanceOf(payee), await balanceOf(payer.address)]).toEqual([5_000_000n, 95_000_000n]);
      const events = parseEventLogs({ abi: AUTHORIZABLE_USD_ABI, logs });
      expect(events.map(({ eventName }) => eventName)).toEqual(['AuthorizationUsed', 'Transfer']);
      expect(events[0]?.args).toEqual({ authorizer: payer.address, nonce: signed.nonce });
      expect(await chain.read(usd('authorizationState', payer.address, signed.nonce))).toBe(true);
    },
  );

  it('refuses a second use, in either form', async () => {
    const signed = await authorization();
    const signature = await sign(signed);
    await chain.send(submitter, usd('transferWithAuthorization', ...argsOf(signed), signature));
    expect(await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(signed), signature))).toBe(
      'AuthorizationUsedOrCanceled',
    );
    expect(
      await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(signed), ...split(signature))),
    ).toBe('AuthorizationUsedOrCanceled');
  });

  it('refuses what has expired, at the very second too, and what is not valid yet', async () => {
    const now = await chain.now();
    const expired = await authorization({ validBefore: now - 1n });
    expect(
      await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(expired), await sign(expired))),
    ).toBe('AuthorizationExpired');
    const never = await authorization({ validBefore: 0n });
    expect(await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(never), await sign(never)))).toBe(
      'AuthorizationExpired',
    );
    const early = await authorization({ validAfter: now + 3_000n });
    expect(await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(early), await sign(early)))).toBe(
      'AuthorizationNotYetValid',
    );
  });

  it.each<[string, Partial<Authorization>]>([
    ['another payee', { to: '0x00000000000000000000000000000000000000aa' }],
    ['another value', { value: 5_000_001n }],
    ['a later end', { validBefore: 99_999_999_999n }],
    ['an earlier start', { validAfter: 1n }],
    ['another nonce', { nonce: toHex(7, { size: 32 }) }],
  ])('refuses %s than was signed', async (_name, changes) => {
    const signed = await authorization();
    const signature = await sign(signed);
    expect(
      await chain.revertOf(
        submitter,
        usd('transferWithAuthorization', ...argsOf({ ...signed, ...changes }), signature),
      ),
    ).toBe('InvalidSignature');
  });

  it('refuses the signature of another, for another chain, token, version or purpose', async () => {
    const signed = await authorization();
    const wrong = [
      await sign(signed, newAccount()),
      await sign(signed, payer, 'TransferWithAuthorization', { ...DOMAIN, chainId: 8_453 }),
      await sign(signed, payer, 'TransferWithAuthorization', { ...DOMAIN, version: '1' }),
      await sign(signed, payer, 'TransferWithAuthorization', {
        ...DOMAIN,
        verifyingContract: SANDBOX_CONTRACTS.stakeToken,
      }),
      await sign(signed, payer, 'ReceiveWithAuthorization'),
    ];
    for (const signature of wrong)
      expect(await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(signed), signature))).toBe(
        'InvalidSignature',
      );
  });

  it('refuses signatures that are malleable, cut, overlong or empty', async () => {
    const signed = await authorization();
    const signature = await sign(signed);
    const { r, s, yParity } = parseSignature(signature);
    const mirrored = serializeSignature({ r, s: toHex(ORDER - BigInt(s), { size: 32 }), yParity: 1 - yParity });
    expect(
      await recoverTypedDataAddress({
        domain: DOMAIN,
        types: { TransferWithAuthorization: FIELDS },
        primaryType: 'TransferWithAuthorization',
        message: signed,
        signature: mirrored,
      }),
    ).toBe(payer.address);
    for (const bad of [mirrored, signature.slice(0, -2), `${signature}00`, '0x']) {
      expect(await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(signed), bad))).toBe(
        'InvalidSignature',
      );
    }
  });

  it('moves nothing, and uses up nothing, where the payer has too little', async () => {
    const signed = await authorization({ value: 100_000_001n });
    const signature = await sign(signed);
    expect(await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(signed), signature))).toBe(
      'ERC20InsufficientBalance',
    );
    expect(await chain.read(usd('authorizationState', payer.address, signed.nonce))).toBe(false);
  });

  it('never takes the zero address for the signer of nonsense', async () => {
    const signed = await authorization({ from: `0x${'0'.repeat(40)}`, value: 0n });
    expect(
      await chain.revertOf(
        submitter,
        usd('transferWithAuthorization', ...argsOf(signed), 29, toHex(1, { size: 32 }), toHex(1, { size: 32 })),
      ),
    ).toBe('InvalidSignature');
  });
});

describe('receiveWithAuthorization', () => {
  it.each(['as v, r, s', 'as bytes'])('is for the payee alone to submit, with the signature %s', async (form) => {
    const signed = await authorization({ to: submitter.address });
    const signature = await sign(signed, payer, 'ReceiveWithAuthorization');
    const call = usd(
      'receiveWithAuthorization',
      ...argsOf(signed),
      ...(form === 'as bytes' ? [signature] : split(signature)),
    );
    expect(await chain.revertOf(payer, call)).toBe('CallerIsNotPayee');
    const before = (await balanceOf(submitter.address)) as bigint;
    await chain.send(submitter, call);
    expect(await balanceOf(submitter.address)).toBe(before + 5_000_000n);
    expect(await chain.revertOf(submitter, call)).toBe('AuthorizationUsedOrCanceled');
  });

  it('refuses a signature over a transfer', async () => {
    const signed = await authorization({ to: submitter.address });
    expect(
      await chain.revertOf(submitter, usd('receiveWithAuthorization', ...argsOf(signed), await sign(signed))),
    ).toBe('InvalidSignature');
  });
});

describe('cancelAuthorization', () => {
  const signCancel = (nonce: Hex, by: PrivateKeyAccount) =>
    by.signTypedData({
      domain: DOMAIN,
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: payer.address, nonce },
    });

  it.each(['as v, r, s', 'as bytes'])('makes a signed transfer worthless, with the signature %s', async (form) => {
    const signed = await authorization();
    const cancel = await signCancel(signed.nonce, payer);
    const { logs } = await chain.send(
      submitter,
      usd('cancelAuthorization', payer.address, signed.nonce, ...(form === 'as bytes' ? [cancel] : split(cancel))),
    );
    expect(parseEventLogs({ abi: AUTHORIZABLE_USD_ABI, logs })[0]).toMatchObject({
      eventName: 'AuthorizationCanceled',
      args: { authorizer: payer.address, nonce: signed.nonce },
    });
    expect(
      await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(signed), await sign(signed))),
    ).toBe('AuthorizationUsedOrCanceled');
  });

  it('refuses the signature of another, and a nonce that is used', async () => {
    const signed = await authorization();
    expect(
      await chain.revertOf(
        submitter,
        usd('cancelAuthorization', payer.address, signed.nonce, await signCancel(signed.nonce, newAccount())),
      ),
    ).toBe('InvalidSignature');
    await chain.send(submitter, usd('transferWithAuthorization', ...argsOf(signed), await sign(signed)));
    expect(
      await chain.revertOf(
        submitter,
        usd('cancelAuthorization', payer.address, signed.nonce, await signCancel(signed.nonce, payer)),
      ),
    ).toBe('AuthorizationUsedOrCanceled');
  });
});

describe('a payer that is a contract', () => {
  it('pays on the signature that it approves (EIP-1271), and on no other', async () => {
    const owner = await chain.richAccount();
    const create = {
      address: smartWalletFactory,
      abi: SMART_WALLET_FACTORY_ABI as Abi,
      functionName: 'createWallet',
      args: [owner.address, toHex(1, { size: 32 })],
    };
    const wallet = (await chain.read({ ...create, functionName: 'addressOf' })) as Hex;
    await chain.send(owner, create);
    await chain.mint(usdc, wallet, 10_000_000n);
    const signed = await authorization({ from: wallet });
    const bySomebody = await sign(signed, newAccount());
    expect(await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(signed), bySomebody))).toBe(
      'InvalidSignature',
    );
    await chain.send(submitter, usd('transferWithAuthorization', ...argsOf(signed), await sign(signed, owner)));
    expect([await balanceOf(wallet), await balanceOf(payee)]).toEqual([5_000_000n, 5_000_000n]);
  });

  it('does not pay where the contract approves nothing', async () => {
    const signed = await authorization({ from: SANDBOX_CONTRACTS.staking, value: 0n });
    expect(
      await chain.revertOf(submitter, usd('transferWithAuthorization', ...argsOf(signed), await sign(signed))),
    ).toBe('InvalidSignature');
  });
});

it('is to a client what USDC on Base is: six decimals, its name, version and domain', async () => {
  const read = (functionName: string) => chain.read(usd(functionName));
  expect([await read('name'), await read('symbol'), await read('version'), await read('decimals')]).toEqual([
    'USD Coin',
    'USDC',
    '2',
    6,
  ]);
  // The type hashes of EIP-3009.
  expect(await read('TRANSFER_WITH_AUTHORIZATION_TYPEHASH')).toBe(
    '0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267',
  );
  expect(await read('RECEIVE_WITH_AUTHORIZATION_TYPEHASH')).toBe(
    '0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8',
  );
  expect(await read('CANCEL_AUTHORIZATION_TYPEHASH')).toBe(
    '0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429',
  );
});
