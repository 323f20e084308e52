export interface AgreementSettings {
  readonly methods: ReadonlySet<string>;
  readonly nodes: number;
  /** Nodes that must give the same answer. */
  readonly agreeing: number;
}
