import type { Metrics } from '../telemetry/metrics';
import { CHAIN_DATA } from '../upstreams/nodes/block-reference';
import type { RpcNetworks } from '../upstreams/nodes/networks';
import type { UpstreamNode } from '../upstreams/nodes/upstream-node';

/** Networks and upstreams are named by the configuration, upstreams by their number in it: URLs hold keys. */
type NodeLabel = 'network' | 'upstream';

/** How the upstreams of each network do, and what the memory of answers spared them. */
export function measureNetworks(metrics: Metrics, networks: RpcNetworks): void {
  const eachNode = (say: (labels: Record<NodeLabel, string>, node: UpstreamNode) => void): void => {
    for (const { network, pool } of networks.backends())
      for (const node of pool.nodes) say({ network: network.slug, upstream: node.name }, node);
  };
  const ofNodes = (name: string, help: string, value: (node: UpstreamNode) => number | null): void =>
    metrics.gauge<NodeLabel>({ name, help, labels: ['network', 'upstream'] }, (say) =>
      eachNode((labels, node) => {
        const now = value(node);
        if (now !== null) say(labels, now);
      }),
    );
  metrics.counter<NodeLabel | 'outcome'>(
    {
      name: 'turnpike_upstream_attempts_total',
      help: 'Questions to an upstream by how they came out: answered, lost to another upstream, or the reason of their failure.',
      labels: ['network', 'upstream', 'outcome'],
    },
    (say) =>
      eachNode((labels, node) => {
        for (const [outcome, count] of node.outcomes()) say({ ...labels, outcome }, count);
      }),
  );
  ofNodes(
    'turnpike_upstream_breaker_open',
    'Whether calls, or those of a method, are kept from the upstream by a circuit breaker: 1 or 0.',
    (node) => Number(node.isCutOff),
  );
  ofNodes('turnpike_upstream_failing', 'Whether health checks of the upstream fail: 1 or 0.', ({ health }) =>
    Number(health.isFailing),
  );
  ofNodes(
    'turnpike_upstream_wrong_chain',
    'Whether the upstream serves another chain, and is left out: 1 or 0.',
    ({ health }) => Number(health.chain === 'wrong'),
  );
  ofNodes(
    'turnpike_upstream_head_lag_blocks',
    'Blocks behind the best upstream of its network.',
    ({ health }) => health.lagBlocks,
  );
  ofNodes('turnpike_upstream_in_flight', 'Questions that the upstream is at.', ({ inFlight }) => inFlight);
  metrics.gauge<NodeLabel | 'state'>(
    {
      name: 'turnpike_upstream_connections',
      help: 'Connections to the upstream, by whether a question is under way on them.',
      labels: ['network', 'upstream', 'state'],
    },
    (say) =>
      eachNode((labels, { upstream }) => {
        const { open, idle } = upstream.connectionUse;
        say({ ...labels, state: 'idle' }, idle);
        say({ ...labels, state: 'busy' }, open - idle);
      }),
  );
  ofNodes(
    'turnpike_upstream_questions_waiting',
    'Questions that wait for a connection to the upstream.',
    ({ upstream }) => upstream.connectionUse.waiting,
  );
  metrics.counter(
    {
      name: 'turnpike_rpc_older_answers_total',
      help: 'Answers about the head of the chain that were passed over, because their caller had been told of a newer block.',
      labels: ['network'],
    },
    (say) => {
      for (const { network, heads } of networks.backends()) if (heads) say({ network: network.slug }, heads.passedOver);
    },
  );
  metrics.counter(
    {
      name: 'turnpike_rpc_log_parts_total',
      help: 'Parts in which ranges of logs were read that no upstream serves at once.',
      labels: ['network'],
    },
    (say) => {
      for (const { network, logs } of networks.backends()) say({ network: network.slug }, logs.partsRead);
    },
  );
  metrics.counter(
    {
      name: 'turnpike_rpc_disagreements_total',
      help: 'Reads on which upstreams that must agree differed: outvoted where enough agreed all the same, unresolved where the caller got an error.',
      labels: ['network', 'outcome'],
    },
    (say) => {
      for (const { network, agreed } of networks.backends()) {
        if (!agreed) continue;
        say({ network: network.slug, outcome: 'outvoted' }, agreed.disagreements.outvoted);
        say({ network: network.slug, outcome: 'unresolved' }, agreed.disagreements.unresolved);
      }
    },
  );
  metrics.counter<NodeLabel>(
    {
      name: 'turnpike_upstream_outvoted_total',
      help: 'Answers of the upstream that differed from what enough others agreed on.',
      labels: ['network', 'upstream'],
    },
    (say) => {
      for (const { network, pool, agreed } of networks.backends())
        if (agreed)
          for (const node of pool.nodes) say({ network: network.slug, upstream: node.name }, agreed.outvotedOf(node));
    },
  );
  ofNodes(
    'turnpike_upstream_range_blocks_max',
    'Most blocks of a range that the upstream serves, where a limit was found.',
    ({ capabilities }) => capabilities?.rangeBlocksMax(performance.now()) ?? null,
  );
  ofNodes(
    'turnpike_upstream_missing_methods',
    'Methods that the upstream was found not to serve.',
    ({ capabilities }) => capabilities?.missingMethods(performance.now()).length ?? 0,
  );
  metrics.gauge<NodeLabel | 'data'>(
    {
      name: 'turnpike_upstream_pruned_below_block',
      help: 'First block of which the upstream has such data, where older ones are known to be missing.',
      labels: ['network', 'upstream', 'data'],
    },
    (say) =>
      eachNode((labels, { capabilities }) => {
        for (const data of CHAIN_DATA) {
          const height = capabilities?.prunedBelow(data, performance.now()) ?? null;
          if (height !== null) say({ ...labels, data }, height);
        }
      }),
  );
  metrics.counter(
    {
      name: 'turnpike_rpc_cache_lookups_total',
      help: 'Reads that could be kept, by whether their answer was in memory.',
      labels: ['network', 'outcome'],
    },
    (say) => {
      for (const { network, lookups } of networks.backends()) {
        say({ network: network.slug, outcome: 'hit' }, lookups.hits);
        say({ network: network.slug, outcome: 'miss' }, lookups.misses);
      }
    },
  );
}
