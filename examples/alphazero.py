#!/usr/bin/env python3
"""Learns to play a game from its rules alone, in the manner of AlphaZero (Silver et al. 2018), with PyTorch:

    PYTHONPATH=python examples/alphazero.py games/connect_four.kif --minutes 10

Thousands of matches step together, on a GPU if there is one. Each has a tree of positions, which are matches of other
environments: a leaf is a copy of its parent that makes one step more. The game must be one of complete information
and without chance, in which at most one player has a choice at a time."""
import argparse
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

import marelle

DISCOUNT_OF_UNVISITED = 0.1  # a move without a visit counts as the position minus this
EXPLORATION = 1.5            # weight of the prior in the choice among moves
NOISE, NOISE_SHARE = 0.5, 0.25  # Dirichlet noise on the priors of a root
WINDOW = 12                  # rounds whose positions are learnt from


class Matches:
    """Environments whose outputs are tensors, on the processor or on a GPU."""

    def __init__(self, game, count, device, limit, keeps_ended):
        self.has_planes = True
        make = marelle.GpuVectorEnv if device == "cuda" else marelle.VectorEnv
        names = ("ends", "rewards", "turns", "mask_bytes")
        options = dict(step_limit=limit, keeps_ended=keeps_ended)
        try:
            self.env = make(game, count, outputs=names + ("planes",), **options)
        except ValueError:
            self.env, self.has_planes = make(game, count, outputs=names + ("observation_bytes",), **options), False
        self.env.reset()
        self.count, self.device = count, device
        self.ends, self.rewards, self.turns = map(self._tensor, ("ends", "rewards", "turns"))
        self.masks = self._tensor("mask_bytes")
        self.facts = self._tensor("planes" if self.has_planes else "observation_bytes")
        if not self.has_planes and self.facts.shape[1] > 1:
            raise SystemExit("in this game something is hidden")

    def _tensor(self, name):
        if self.device == "cuda":
            return torch.as_tensor(getattr(self.env, name), device="cuda")
        return torch.from_numpy(self.env.arrays()[name])

    def step(self, moves):
        moves = moves.to(torch.int32).contiguous()
        self.env.step(moves if self.device == "cuda" else moves.numpy())

    def copy(self, other, sources, first=0, outputs=True):
        sources = sources.to(torch.int32).contiguous()
        self.env.copy_from(other.env, sources if self.device == "cuda" else sources.numpy(), first, outputs=outputs)

    def movers(self):
        """Who chooses; the first role where nobody has a choice."""
        if (self.turns == -2).any():
            raise SystemExit("in this game several players choose at the same time")
        return self.turns.clamp(min=0).long()


class Network(nn.Module):
    """Position to logits of all moves of all roles, and to the expected goal of each role from 0 to 1."""

    def __init__(self, matches, width=64, blocks=4):
        super().__init__()
        self.roles, self.moves = matches.masks.shape[1:]
        if matches.has_planes:
            channels, height, line = matches.facts.shape[1:]
            layer = lambda a, b: nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU())
            self.inputs, size = layer(channels, width), 32 * height * line
            self.head = nn.Sequential(nn.Conv2d(width, 32, 1), nn.ReLU(), nn.Flatten())
        else:
            width *= 4
            layer = lambda a, b: nn.Sequential(nn.Linear(a, b), nn.BatchNorm1d(b), nn.ReLU())
            self.inputs, size = nn.Sequential(nn.Flatten(), layer(matches.facts.shape[2], width)), width
            self.head = nn.Identity()
        self.blocks = nn.ModuleList(nn.Sequential(layer(width, width), layer(width, width)) for _ in range(blocks))
        self.policy = nn.Linear(size, self.roles * self.moves)
        self.value = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, self.roles))

    def forward(self, facts):
        x = self.inputs(facts.float())
        for block in self.blocks:
            x = x + block(x)
        x = self.head(x)
        return self.policy(x).view(-1, self.roles, self.moves), torch.sigmoid(self.value(x))


class Trees:
    """A tree for each of `count` matches. Node k of match i is match k * count + i of `nodes`."""

    def __init__(self, game, count, visits, device, limit):
        self.count, self.visits = count, visits
        self.nodes = Matches(game, count * (visits + 1), device, limit, keeps_ended=True)
        self.leaves = Matches(game, count, device, limit, keeps_ended=True)
        roles, moves = self.leaves.masks.shape[1:]
        size = (count, visits + 1)
        make = lambda *shape, kind=torch.float32: torch.zeros(*size, *shape, dtype=kind, device=device)
        self.prior, self.tried, self.total = make(moves), make(moves), make(moves)
        self.legal, self.child = make(moves, kind=torch.bool), make(moves, kind=torch.int64)
        self.mover, self.ended = make(kind=torch.int64), make(kind=torch.bool)
        self.forced, self.worth = make(roles, kind=torch.int64), make(roles)
        self.all = torch.arange(count, device=device)

    @torch.no_grad()
    def search(self, network, matches, noise):
        """Returns how often each move of the roots was tried, and what the roots are worth to each role."""
        self.tried.zero_(), self.total.zero_(), self.child.fill_(-1)
        self.leaves.copy(matches, self.all)
        self._keep(0, network, torch.zeros_like(self.ended[:, 0]))
        if noise:
            shape = torch.full_like(self.prior[:, 0], NOISE)
            drawn = torch._standard_gamma(shape) * self.legal[:, 0] + 1e-9
            drawn /= drawn.sum(1, keepdim=True)
            self.prior[:, 0] = (1 - NOISE_SHARE) * self.prior[:, 0] + NOISE_SHARE * drawn * self.legal[:, 0]
        for k in range(1, self.visits + 1):
            path, parent, move = self._descend()
            joint = self.forced[self.all, parent].clone()
            joint[self.all, self.mover[self.all, parent]] = move
            self.leaves.copy(self.nodes, parent * self.count + self.all, outputs=False)
            self.leaves.step(joint)
            self._keep(k, network, self.leaves.ends > 0)
            self.child[self.all, parent, move] = k
            for node, move, is_on in path:
                value = self.worth[self.all, k].gather(1, self.mover[self.all, node][:, None])[:, 0]
                self.tried[self.all, node, move] += is_on
                self.total[self.all, node, move] += is_on * value
        return self.tried[:, 0], self._root_worth()

    def _root_worth(self):
        """The network's value of each root; the mover's is replaced by the mean of the search."""
        worth, tried = self.worth[:, 0].clone(), self.tried[:, 0].sum(1)
        mean = self.total[:, 0].sum(1) / tried.clamp(min=1)
        worth[self.all, self.mover[:, 0]] = mean
        if worth.shape[1] == 2:  # what one player gains in most games the other one loses
            worth[self.all, 1 - self.mover[:, 0]] += self.worth[self.all, 0, self.mover[:, 0]] - mean
        return worth

    def _descend(self):
        """Nodes and moves on the ways to the leaves, and the last node and move of each."""
        node, path = torch.zeros_like(self.all), []
        is_on = torch.ones_like(self.ended[:, 0])
        parent, last = node, node
        while is_on.any():
            tried, legal = self.tried[self.all, node], self.legal[self.all, node]
            base = self.worth[self.all, node].gather(1, self.mover[self.all, node][:, None]) - DISCOUNT_OF_UNVISITED
            mean = torch.where(tried > 0, self.total[self.all, node] / tried.clamp(min=1), base)
            bound = mean + EXPLORATION * self.prior[self.all, node] * (tried.sum(1, keepdim=True) + 1).sqrt() / (1 + tried)
            move = bound.masked_fill(~legal, -1).argmax(1)
            path.append((node, move, is_on))
            parent, last = torch.where(is_on, node, parent), torch.where(is_on, move, last)
            child = self.child[self.all, node, move].clamp(min=0)
            is_on = is_on & (child > 0) & ~self.ended[self.all, child]
            node = torch.where(is_on, child, node)
        return path, parent, last

    def _keep(self, k, network, ended):
        """Makes the leaves nodes number k of their trees."""
        leaves = self.leaves
        if k < self.visits:
            self.nodes.copy(leaves, self.all, k * self.count, outputs=False)
        logits, worth = network(leaves.facts)
        mover = leaves.movers()
        masks = leaves.masks.bool()
        legal = masks[self.all, mover]
        legal[:, 0] |= ~legal.any(1)  # matches that are over
        self.prior[:, k] = logits[self.all, mover].float().masked_fill(~legal, -1e9).softmax(1)
        self.worth[:, k] = torch.where(ended[:, None], leaves.rewards / 100, worth.float())
        self.legal[:, k], self.mover[:, k], self.ended[:, k] = legal, mover, ended
        self.forced[:, k] = masks.byte().argmax(2)


class Learner:
    def __init__(self, game, count, visits, device, limit, steps):
        self.game, self.device, self.limit, self.steps = game, device, limit, steps
        self.matches = Matches(game, count, device, limit, keeps_ended=False)
        self.trees = Trees(game, count, visits, device, limit)
        self.network = Network(self.matches).to(device)
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=2e-3, weight_decay=1e-4)
        self.turn = torch.zeros(count, device=device)
        self.memory = []

    def play(self, opening):
        """Some steps of all matches; what is learnt from them goes to the memory. A match that has not ended counts
        as what the last search says."""
        self.network.eval()
        rows, matches, every = [], self.matches, self.trees.all
        for _ in range(self.steps):
            tried, worth = self.trees.search(self.network, matches, noise=True)
            target = tried / tried.sum(1, keepdim=True)
            mover, joint = self.trees.mover[:, 0].clone(), self.trees.forced[:, 0].clone()
            chosen = torch.where(self.turn < opening, torch.multinomial(target, 1)[:, 0], tried.argmax(1))
            joint[every, mover] = chosen
            facts = matches.facts.clone()
            matches.step(joint)
            ended = matches.ends > 0
            rows.append((facts, mover, target, worth, ended, matches.rewards / 100))
            self.turn = torch.where(ended, 0, self.turn + 1)
        goal, result = self.trees.search(self.network, matches, noise=False)[1], []
        for facts, mover, target, worth, ended, rewards in reversed(rows):
            goal = torch.where(ended[:, None], rewards, goal)
            result.append((facts, mover, target, 0.75 * goal + 0.25 * worth))
        self.memory = (self.memory + [tuple(map(torch.cat, zip(*result)))])[-WINDOW:]
        return sum(int(row[4].sum()) for row in rows)

    def learn(self, batches, size):
        self.network.train()
        facts, mover, target, goal = map(torch.cat, zip(*self.memory))
        for _ in range(batches):
            some = torch.randint(len(facts), (size,), device=self.device)
            logits, worth = self.network(facts[some])
            chosen = logits[torch.arange(size, device=self.device), mover[some]]
            policy = -(target[some] * F.log_softmax(chosen, 1)).sum(1).mean()
            value = F.mse_loss(worth, goal[some])
            self.optimizer.zero_grad()
            (policy + 4 * value).backward()
            self.optimizer.step()
        return float(policy), float(value)

    def test(self, count, opponent, playouts, visits):
        """Mean points from 0 to 1 against a search, each role in turn taken by the network."""
        self.network.eval()
        matches = Matches(self.game, count, self.device, self.limit, keeps_ended=True)
        trees = Trees(self.game, count, visits, self.device, self.limit)
        roles, every = self.game.roles, trees.all
        seat = every % len(roles)
        rivals = [[marelle.Search(self.game, role, f"{opponent}:seed={i + 1}") for role in roles] for i in range(count)]
        points = torch.zeros(count, device=self.device)
        over = torch.zeros(count, dtype=torch.bool, device=self.device)
        while not over.all():
            tried, _ = trees.search(self.network, matches, noise=False)
            mover, joint = trees.mover[:, 0], trees.forced[:, 0].clone()
            joint[every, mover] = tried.argmax(1)
            for i in torch.nonzero(~over & (mover != seat))[:, 0].tolist():
                role = int(mover[i])
                rivals[i][role].set_state(matches.env.state(i))
                best = rivals[i][role].run(playouts=playouts).best
                joint[i, role] = self.game.move_number(roles[role], best)
            matches.step(joint)
            now = (matches.ends > 0) & ~over
            points = torch.where(now, matches.rewards[every, seat] / 100, points)
            over |= now
        return float(points.mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a file of rules")
    parser.add_argument("--minutes", type=float, default=10, help="time of learning (10)")
    parser.add_argument("--matches", type=int, default=0, help="matches side by side (4096 on a GPU, else 64)")
    parser.add_argument("--visits", type=int, default=32, help="positions that each search looks at (32)")
    parser.add_argument("--limit", type=int, default=300, help="turns after which a match ends (300)")
    parser.add_argument("--test", type=int, default=100, help="matches against the opponent at the end (100)")
    parser.add_argument("--opponent", default="uct", help="a search of Marelle (uct)")
    parser.add_argument("--playouts", type=int, default=1000, help="its playouts for each move (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="a file for the network")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    count, size = (given.matches or 4096, 4096) if device == "cuda" else (given.matches or 64, 256)
    game = marelle.Game.from_file(given.game)
    learner = Learner(game, count, given.visits, device, given.limit, steps=8)
    begun, rounds, ended, said = time.monotonic(), 0, 0, 0.0
    while (elapsed := time.monotonic() - begun) < 60 * given.minutes:
        for group in learner.optimizer.param_groups:  # smaller steps towards the end
            group["lr"] = 2e-3 * (1 - 0.95 * elapsed / (60 * given.minutes))
        ended += learner.play(opening=12)
        policy, value = learner.learn(batches=max(1, 2 * count * learner.steps // size), size=size)
        rounds += 1
        if elapsed - said > 10:
            said = elapsed
            print(f"{elapsed:5.0f} s  {rounds} rounds  {ended} matches  policy {policy:.3f}  value {value:.4f}", flush=True)
    print(f"learnt from {rounds} rounds, {ended} matches")
    if given.save:
        torch.save(learner.network.state_dict(), given.save)
    if given.test:
        points = learner.test(given.test, given.opponent, given.playouts, 4 * given.visits)
        print(f"{100 * points:.1f} % of {given.test} matches against {given.opponent} with {given.playouts} playouts")


if __name__ == "__main__":
    sys.exit(main())
