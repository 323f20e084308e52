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

/** Failure that this page itself detected. Its text loads with the component that shows it. */
export class WalletTrouble extends Error {
  override readonly name = 'WalletTrouble';

  constructor(readonly kind: WalletFailureKind) {
    super(`The wallet did not do what it was asked: ${kind}.`);
  }
}
