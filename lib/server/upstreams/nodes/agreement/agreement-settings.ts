export interface AgreementSettings {
  readonly methods: ReadonlySet<string>;
  readonly nodes: number;
  readonly agreeing: number;
}
