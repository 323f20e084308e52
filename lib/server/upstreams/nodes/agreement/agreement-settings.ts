/** Which reads of a network several nodes must agree on. */
export interface AgreementSettings {
  readonly methods: ReadonlySet<string>;
  /** How many nodes are asked. */
  readonly nodes: number;
  /** How many of them must give the same answer. */
  readonly agreeing: number;
}
