import type { Deal, Deals, DealStage } from "../../../api/types";

/** Where a card lies: its stage, and how many cards of the stage are above it. */
export interface BoardPlace {
  stage: DealStage;
  index: number;
}

export function getCards(board: Deals, stage: DealStage): Deal[] {
  return board.deals.filter((deal) => deal.stage === stage);
}

/** Null when the deal is not on the board. */
export function findPlace(board: Deals, id: number): BoardPlace | null {
  const deal = board.deals.find((one) => one.id === id);
  if (!deal) return null;
  return { stage: deal.stage, index: getCards(board, deal.stage).indexOf(deal) };
}

/** The board with a deal put somewhere else, and the sums of both stages brought up to date. */
export function moveDeal(board: Deals, id: number, { stage, index }: BoardPlace): Deals {
  const deal = board.deals.find((one) => one.id === id);
  if (!deal) return board;
  const others = board.deals.filter((one) => one !== deal);
  const following = others.filter((one) => one.stage === stage)[index];
  const at = following ? others.indexOf(following) : others.length;
  const stages = board.stages.map((sum) => {
    const change = Number(sum.stage === stage) - Number(sum.stage === deal.stage);
    return { ...sum, count: sum.count + change, value: sum.value + change * deal.dealValue };
  });
  return { deals: others.toSpliced(at, 0, { ...deal, stage }), stages };
}
