import { Skeleton } from '@mantine/core';
import '@mantine/core/styles/Skeleton.layer.css';
import classes from './Bones.module.css';

/** Bones never change places, so a number is all the name they need. */
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Skeleton of `count` cards in a grid, each as tall as `height` pixels. */
export function CardBones({ count = 3, height = 148 }: { count?: number; height?: number }) {
  return (
    <div className={classes.grid}>
      {numbers(count).map((index) => (
        <Skeleton key={index} height={height} radius="lg" />
      ))}
    </div>
  );
}

/** Skeleton of `count` rows under each other. */
export function RowBones({ count = 4, height = 56 }: { count?: number; height?: number }) {
  return (
    <div className={classes.rows}>
      {numbers(count).map((index) => (
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </div>
  );
}

/** Skeleton of a piece of text: a title and some lines. */
export function TextBones({ lines = 4 }: { lines?: number }) {
  return (
    <div className={classes.rows}>
      <Skeleton height={28} width="45%" />
      {numbers(lines).map((index) => (
        <Skeleton key={index} height={14} width={index === lines - 1 ? '60%' : '100%'} />
      ))}
    </div>
  );
}

/** Skeleton of a film with its name under it. */
export function FilmBones() {
  return (
    <div className={classes.rows}>
      <Skeleton className={classes.film} radius="md" />
      <TextBones lines={1} />
    </div>
  );
}
