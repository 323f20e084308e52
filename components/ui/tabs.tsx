'use client';

import { Tabs as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './class-names';

export function Tabs({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root className={cn('flex min-h-0 min-w-0 flex-col', className)} {...props} />;
}

/** The row of tabs: as tall as every other bar of a pane. */
export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return <Primitive.List className={cn('flex h-full items-stretch gap-4', className)} {...props} />;
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn('-mx-1 -mb-px flex items-center gap-1.5 border-b-2 border-transparent px-1 text-sm outline-offset-[-2px] whitespace-nowrap text-dim transition-colors hover:text-ink data-[state=active]:border-amber data-[state=active]:text-ink', className)}
      {...props}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content className={cn('relative min-h-0 min-w-0 flex-1 outline-offset-[-2px]', className)} {...props} />;
}
