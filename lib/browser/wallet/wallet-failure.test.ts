import { BaseError, ContractFunctionExecutionError, InsufficientFundsError, UserRejectedRequestError } from 'viem';
import { describe, expect, it } from 'vitest';
import { ProviderError } from './demo/approval';
import { walletFailureOf } from './wallet-failure';
import { WalletTrouble } from './wallet-store';

describe('why a wallet did not do it', () => {
  it('is a refusal by its code, however deep libraries wrapped it', () => {
    const refused = new UserRejectedRequestError(new ProviderError(4001, 'No.'));
    const wrapped = new BaseError('Writing failed', { cause: new BaseError('Sending failed', { cause: refused }) });
    expect(walletFailureOf(wrapped).kind).toBe('refused');
    expect(walletFailureOf({ code: 4001, message: 'nope' }).kind).toBe('refused');
    expect(walletFailureOf(new Error('User rejected the request.')).kind).toBe('refused');
  });

  it('is a lack of coin as viem and nodes tell it', () => {
    expect(walletFailureOf(new InsufficientFundsError()).kind).toBe('no-gas');
    expect(
      walletFailureOf(new BaseError('x', { cause: new Error('insufficient funds for gas * price + value') })).kind,
    ).toBe('no-gas');
  });

  it('is another chain by code or by name', () => {
    expect(walletFailureOf({ code: 4902, message: 'Unrecognized chain ID' }).kind).toBe('wrong-chain');
    expect(
      walletFailureOf(Object.assign(new Error('The wallet is on another chain.'), { name: 'ChainMismatchError' })).kind,
    ).toBe('wrong-chain');
  });

  it('is a contract that refused', () => {
    const error = new ContractFunctionExecutionError(new BaseError('The contract function "stake" reverted.'), {
      abi: [],
      functionName: 'stake',
      args: [],
    });
    expect(walletFailureOf(error)).toMatchObject({ kind: 'reverted' });
  });

  it('always has a sentence, whatever was thrown', () => {
    for (const thrown of [undefined, null, '', 3, {}, { message: '' }, new Error(''), [], 'plain text']) {
      const { sentence, advice } = walletFailureOf(thrown);
      expect(sentence).toMatch(/\.$/);
      expect(advice).not.toBe('');
    }
  });

  it.each([
    [{ code: 4100, message: 'The requested account has not been authorized by the user.' }, 'locked'],
    [new Error('MetaMask is locked'), 'locked'],
    [
      Object.assign(new Error('Account "0x1" not found for connector "X".'), { name: 'ConnectorAccountNotFoundError' }),
      'other-account',
    ],
    [{ code: -32002, message: 'Request of type wallet_requestPermissions already pending' }, 'busy'],
    [{ code: 4900, message: 'Disconnected' }, 'gone'],
    [Object.assign(new Error(''), { name: 'WalletNotConnectedError' }), 'gone'],
    [new Error('Popup closed'), 'refused'],
    [{ code: 4200, message: 'Nope' }, 'cannot'],
    [new WalletTrouble('slow'), 'slow'],
    [new Error('outer', { cause: new WalletTrouble('gone') }), 'gone'],
  ])('is told by its kind: %o', (thrown, kind) => expect(walletFailureOf(thrown).kind).toBe(kind));

  it('is never told in the words of a library', () => {
    for (const thrown of [
      new Error('viem@2.47: HttpRequestError 0xdeadbeef'),
      new BaseError('The contract function "stake" reverted.'),
      new Error('x'.repeat(5000)),
    ]) {
      expect(walletFailureOf(thrown).sentence).toMatch(/^The (wallet|contract) [a-z ,]+\.$/);
    }
  });

  it('ends with a cause that is its own cause', () => {
    const loop: { message: string; cause?: unknown } = { message: 'round' };
    loop.cause = loop;
    expect(walletFailureOf(loop).kind).toBe('other');
  });
});
