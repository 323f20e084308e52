export interface AgreementSettings {
  readonly methods: ReadonlySet<string>;
  readonly nodes: number;
  /** Number of nodes that must give the same answer. */
  readonly agreeing: number;
}
