import type { Pool, QueryConfig, QueryResultRow } from 'pg';
import { endsConnection, type FailureKind, kindOfFailure } from '../../db/postgres/failure';

/** Statement that failed as a whole. None of its calls took effect, unless the kind is `unknown`. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';

  constructor(
    readonly kind: FailureKind,
    override readonly cause: Error,
  ) {
    super(cause.message, { cause });
  }
}

/** Runs one statement, which is one transaction. @throws StatementFailed */
export async function runStatement<Row extends QueryResultRow>(pool: Pool, statement: QueryConfig): Promise<Row[]> {
  const client = await pool.connect().catch((error: Error) => {
    throw new StatementFailed('unavailable', error);
  });
  try {
    const { rows } = await client.query<Row>(statement);
    client.release();
    return rows;
  } catch (error) {
    client.release(endsConnection(error));
    throw new StatementFailed(kindOfFailure(error), error as Error);
  }
}
