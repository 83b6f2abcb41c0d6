"""Small talk in general: what the meaning of a pasted conversation is compared with (`semantics`)."""

from __future__ import annotations

SAMPLES: dict[str, tuple[str, ...]] = {
    "en": (
        "Amy: I went to the dentist today and I was a little scared. She said I have a cavity that needs filling.",
        "Tom: There's an exam next week and I feel so stressed. Reading is fine, but I keep forgetting the vocabulary.",
        "Amy: Mom bought me a new pair of shoes! They're blue and I can run really fast in them.",
        "Tom: Our kitten is sick. Not yet, Dad says we'll go tomorrow.",
        "Amy: It rained today so we couldn't play soccer. I built a castle with blocks but it got boring.",
        "Tom: I had a fight with my desk mate. He broke my pencil case and won't say sorry.",
        "Amy: We are going to the seaside this summer! I want to collect shells and learn to swim.",
        "Tom: I had a nightmare last night. A big monster was chasing me.",
        "Amy: I learned to cook scrambled eggs with tomatoes. Grandma did, and everyone said it was tasty.",
        "Tom: My phone is broken, the screen is shattered. It fell off the table. I don't know if it can be fixed.",
        "Amy: Grandpa came home from the hospital today. He's in good spirits and told me a story.",
        "Tom: I have to work overtime this weekend and I'm not happy. Yes, we must deliver by the end of the month.",
        "Amy: I signed up for the singing contest. I haven't decided, and I'm worried I won't sing well.",
        "Tom: The teacher praised my essay. It was about my hometown, and she asked me to read it aloud.",
        "Amy: I lost my keys and can't get into the house. Maybe at the supermarket. I'll go and look again.",
        "Tom: I haven't been sleeping well lately. Maybe I look at my phone for too long at night.",
    ),
    "zh": (
        "Amy: 我今天去看牙医了，有点害怕。医生说我有一颗蛀牙要补。",
        "Tom: 下周要考试了，我觉得压力好大。语文还行，英语单词总是记不住。",
        "Amy: 妈妈给我买了一双新鞋子！是蓝色的，跑起来特别快。",
        "Tom: 我家的小猫生病了。还没有，爸爸说明天带它去。",
        "Amy: 今天下雨了，不能出去踢球。我在家拼积木，可是有点无聊。",
        "Tom: 我和同桌吵架了。他弄坏了我的铅笔盒，还不肯道歉。",
        "Amy: 暑假我们要去海边旅行！我想捡贝壳，还想学游泳。",
        "Tom: 昨晚我做了一个噩梦。梦见一只大怪兽在追我。",
        "Amy: 我学会做西红柿炒鸡蛋了。是奶奶教我的，家里人都说好吃。",
        "Tom: 我的手机坏了，屏幕碎了。从桌子上掉下去了，不知道还能不能修。",
        "Amy: 爷爷今天出院了。他精神很好，还给我讲故事。",
        "Tom: 周末公司要加班，我不太高兴。是的，月底要交付了。",
        "Amy: 我报名参加了唱歌比赛。我还没想好，有点担心唱不好。",
        "Tom: 老师表扬了我的作文。写的是我的家乡，老师还让我念给大家听。",
        "Amy: 我把钥匙弄丢了，进不了家门。好像是在超市里，我再去找找。",
        "Tom: 最近我总是睡不好。可能是晚上看手机看得太久了。",
    ),
}
"""What two people tell of an ordinary day, by language."""
