/** Why a wallet did not do what it was asked. */
export type WalletFailureKind =
  | 'refused'
  | 'wrong-chain'
  | 'other-account'
  | 'locked'
  | 'slow'
  | 'gone'
  | 'cannot'
  | 'no-gas'
  | 'busy'
  | 'replaced'
  | 'reverted'
  | 'other';

/** A failure that this page itself found. It is told in the words of its kind, which load with what shows them. */
export class WalletTrouble extends Error {
  override readonly name = 'WalletTrouble';

  constructor(readonly kind: WalletFailureKind) {
    super(`The wallet did not do what it was asked: ${kind}.`);
  }
}
